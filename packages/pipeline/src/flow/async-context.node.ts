import { AsyncResource } from 'node:async_hooks'

/** Returns a function that calls others in the present async context, such as that of a span. */
export function inAsyncContext(): <T>(run: () => T) => T {
  const context = new AsyncResource('Turn')
  return (run) => context.runInAsyncScope(run)
}
