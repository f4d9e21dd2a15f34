import type { Clock, Event, JsonObject } from '@sluice/core'
import { createExchange, createRecordingTransport, reply } from '@sluice/delivery'
import type { DeliveryRequest, DestinationDefinition } from '@sluice/destinations'

/** What an ACTION request would send. */
export interface ActionPreview {
  /** Endpoint of the ACTION request. */
  readonly action: string
  /** HTTP requests in the order in which they would be sent. */
  readonly requests: readonly DeliveryRequest[]
  /** Why the action ended without success. */
  readonly error?: string
}

interface PreviewOptions {
  readonly definition: DestinationDefinition
  readonly settings: JsonObject
  readonly clock: Clock
}

/** An action that only computes needs no more. */
const timeMs = 2_000

/**
 * Performs ACTION requests without a network: each of their HTTP requests is answered with status 200 and the body `{}`.
 * An action that decides by real replies may send other requests. Actions with connections of their own are not
 * performed.
 */
export async function previewActions(
  requests: readonly DeliveryRequest[],
  event: Event,
  { definition, settings, clock }: PreviewOptions,
  signal: AbortSignal,
): Promise<readonly ActionPreview[]> {
  const previews: ActionPreview[] = []
  for (const request of requests) {
    if (request.type !== 'ACTION') continue
    const action = request.endpoint
    if (definition.action?.hasOwnNetwork?.(request)) {
      previews.push({
        action,
        requests: [],
        error: 'It opens connections of its own, so it is not run without sending.',
      })
      continue
    }
    const transport = createRecordingTransport(() => reply(200, '{}', { 'content-type': 'application/json' }), 50)
    const exchange = createExchange({ definition, settings, transport, lookupTransport: transport, clock, timeMs })
    const { judgement } = await exchange(request, { signal }, [event])
    previews.push({
      action,
      requests: transport.requests,
      error: judgement.outcome === 'delivered' ? undefined : judgement.cause,
    })
  }
  return previews
}
