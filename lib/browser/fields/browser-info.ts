/** The browser data for 3-D Secure, as the processing call takes it (`browser_info`). */
export function browserInfo() {
  return {
    user_agent: navigator.userAgent,
    language: navigator.language,
    color_depth: screen.colorDepth,
    screen_height: screen.height,
    screen_width: screen.width,
    timezone_offset: new Date().getTimezoneOffset(),
    java_enabled: false,
    javascript_enabled: true,
  };
}
