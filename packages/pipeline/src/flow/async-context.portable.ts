/** Returns a function that calls others. The platform has no async context that would have to be kept. */
export function inAsyncContext(): <T>(run: () => T) => T {
  return (run) => run()
}
