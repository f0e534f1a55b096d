// Progress output: one line per step with its duration.

/** Runs `work` with a progress line and returns its result. */
export async function step(label, work) {
  const started = Date.now();
  process.stdout.write(`  ${label} ... `);
  try {
    const result = await work();
    process.stdout.write(`${seconds(Date.now() - started)}\n`);
    return result;
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
