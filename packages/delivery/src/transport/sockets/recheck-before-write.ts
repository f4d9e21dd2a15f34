import type { Dispatcher, DecoratorHandler as UndiciDecorator } from 'undici'
import { HeldBackError } from '../held-back-error.ts'

type Start = NonNullable<Dispatcher.DispatchHandler['onRequestStart']>

interface StartingHandler {
  onRequestStart(...given: Parameters<Start>): void
}

/** Asks a request whether it may leave. */
export interface RecheckOptions {
  readonly mayLeave?: (() => boolean) | undefined
}

/**
 * Creates an interceptor that asks once more when a request has its connection, right before it is written. Nothing is
 * awaited in between.
 *
 * @param mayAnyLeave asked for every request; the request itself is asked, too, where its options say how.
 */
export function createRecheckBeforeWrite(
  DecoratorHandler: typeof UndiciDecorator,
  mayAnyLeave: () => boolean,
): Dispatcher.DispatcherComposeInterceptor {
  // Undici's types do not say what its class has.
  const Decorator = DecoratorHandler as unknown as new (handler: Dispatcher.DispatchHandler) => StartingHandler
  class RecheckBeforeWrite extends Decorator {
    readonly #mayLeave: RecheckOptions['mayLeave']

    constructor(handler: Dispatcher.DispatchHandler, { mayLeave }: RecheckOptions) {
      super(handler)
      this.#mayLeave = mayLeave
    }

    override onRequestStart(...[controller, context]: Parameters<Start>): void {
      super.onRequestStart(controller, context)
      if (!mayAnyLeave() || this.#mayLeave?.() === false) controller.abort(new HeldBackError())
    }
  }
  return (dispatch) => (options, handler) =>
    dispatch(options, new RecheckBeforeWrite(handler, options as RecheckOptions))
}
