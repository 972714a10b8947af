/** What a person would call the device that they hold; a guess that only fills in a name. */
export function detectDevice(): 'phone' | 'tablet' | 'computer' {
  const { userAgent, maxTouchPoints } = navigator;
  if (/iPhone|Android.*Mobile/.test(userAgent)) return 'phone';
  // An iPad says that it is a Mac, which has no touch.
  return /iPad|Android/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
    ? 'tablet'
    : 'computer';
}
