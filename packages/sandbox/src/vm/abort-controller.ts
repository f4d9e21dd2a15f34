import { allowManyListeners } from '@sluice/core/many-listeners'

/** Creates a controller for the calls of one batch. Each call may add several listeners; the number of calls is limited. */
export function newAbortController(): AbortController {
  const controller = new AbortController()
  allowManyListeners(controller.signal)
  return controller
}
