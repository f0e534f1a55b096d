// The environment of programs that are started beside the service.

/** The environment for programs that need none of the settings, which contain secrets: what the system and npm read. */
export function systemVariables(): NodeJS.ProcessEnv {
  const needed =
    /^(path|home|lang|lc_.*|tz|te?mp|tmpdir|ld_library_path|(npm|node)_.*|(https?|no|all)_proxy|ssl_cert_.*|systemroot|comspec|appdata|localappdata|userprofile)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name))) as NodeJS.ProcessEnv;
}
