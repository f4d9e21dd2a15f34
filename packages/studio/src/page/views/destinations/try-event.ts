import type { DeliveryRequest } from '@sluice/destinations'
import { request } from '../../api/request.ts'
import type { Destination } from './records.ts'

/** Why a stage has no result. */
interface StageFailure {
  readonly error: string
}

/** What each stage made of an event: one element for each output of user code. */
export interface Tried {
  readonly data: readonly {
    readonly user_transformed_payload?: unknown
    readonly dest_transformed_payload?: readonly DeliveryRequest[] | StageFailure
    /** What actions would send. */
    readonly actions?: readonly { readonly requests: readonly DeliveryRequest[]; readonly error?: string }[]
    readonly destination_response?: unknown
    readonly destination_response_status?: readonly number[]
    readonly notices?: readonly string[]
  }[]
}

interface TryOptions {
  /** Whether the requests are sent. */
  readonly sends?: boolean
  /** Settings that replace the stored ones. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
}

/** Takes one event through the stages of a destination, also of one that is off. It is counted nowhere. */
export function tryEvent(
  { id, transformation }: Pick<Destination, 'id' | 'transformation'>,
  message: unknown,
  { sends = false, settings, signal }: TryOptions = {},
): Promise<Tried> {
  const stage = { user_transform: transformation !== undefined, dest_transform: true, send_to_destination: sends }
  return request<Tried>(`/v0/testDestination/${encodeURIComponent(id)}?force=true`, {
    method: 'POST',
    body: { stage, message, ...(settings === undefined ? {} : { destinationConfig: settings }) },
    waitMs: 120_000,
    ...(signal === undefined ? {} : { signal }),
  })
}
