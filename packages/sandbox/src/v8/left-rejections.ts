/**
 * Keeps promises of user code that nothing awaits, or not yet, from ending the thread. Those of this realm still end
 * it, because they are our defects.
 */
export function ignoreLeftRejections(): void {
  process.on('unhandledRejection', (reason, promise) => {
    if (promise instanceof Promise) throw reason
  })
  // Without a listener, a promise that is awaited later makes a warning.
  process.on('rejectionHandled', () => {})
}
