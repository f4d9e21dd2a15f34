import type { ActionCall } from '@sluice/destinations'
import { containStrayErrors } from '../peer/contain-stray-errors.ts'
import type { SegmentCore } from '../peer/segment-core.ts'
import type {
  SegmentData,
  SegmentDefinition,
  SegmentRequest,
  SegmentRequestOptions,
} from '../peer/segment-definition.ts'
import { createRequestClient } from './create-request-client.ts'
import { withClients } from './own-clients.ts'

interface SegmentCodeOptions {
  readonly definition: Pick<SegmentDefinition, 'extendRequest' | 'name'>
  readonly core: Pick<SegmentCore, 'HTTPError'>
  readonly call: Pick<ActionCall, 'send'>
  readonly data: SegmentData
}

/**
 * Runs a function of a definition, such as `perform`, with a request client that has the options of `extendRequest`.
 *
 * @throws what the function throws.
 */
export async function runSegmentCode(
  { definition, core, call: { send }, data }: SegmentCodeOptions,
  code: (request: SegmentRequest, data: SegmentData) => unknown,
): Promise<unknown> {
  const make = (shared: SegmentRequestOptions): SegmentRequest => createRequestClient({ send, core, shared })
  return containStrayErrors(definition.name, () =>
    withClients(make, async () => code(make(definition.extendRequest?.(data) ?? {}), data)),
  )
}
