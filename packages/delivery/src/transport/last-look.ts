import type { Dispatcher, DecoratorHandler as UndiciDecorator } from 'undici'

/** The request was held back at the last moment. */
class HeldBackError extends Error {
  readonly code = 'EHELDBACK'
}

type Start = NonNullable<Dispatcher.DispatchHandler['onRequestStart']>

interface StartingHandler {
  onRequestStart(...given: Parameters<Start>): void
}

/**
 * Creates an interceptor that asks once more when a request has its connection, right before it is written. Nothing is
 * awaited in between.
 */
export function createLastLook(
  DecoratorHandler: typeof UndiciDecorator,
  mayLeave: () => boolean,
): Dispatcher.DispatcherComposeInterceptor {
  // Undici's types do not say what its class has.
  const Decorator = DecoratorHandler as unknown as new (handler: Dispatcher.DispatchHandler) => StartingHandler
  class LastLook extends Decorator {
    override onRequestStart(...[controller, context]: Parameters<Start>): void {
      super.onRequestStart(controller, context)
      if (!mayLeave()) controller.abort(new HeldBackError('the request was held back'))
    }
  }
  return (dispatch) => (options, handler) => dispatch(options, new LastLook(handler))
}
