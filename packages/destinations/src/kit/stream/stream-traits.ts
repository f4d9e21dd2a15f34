import { everyType } from '../define/message-type.ts'
import { respondToStream, type StreamLimits, streamBatch } from './stream-request.ts'

/**
 * Returns what the definitions of streams share: they take events of every type, as they are, pack messages into
 * requests, and read a result for each. @param limits those of a request.
 */
export function streamTraits(limits: StreamLimits) {
  return {
    supports: everyType,
    takesAnyType: true,
    isTestable: false,
    batch: streamBatch(limits),
    respond: respondToStream,
  } as const
}
