import type { StageError } from '@sluice/core'
import type { DocumentEncoder } from '../crossing/crossing.ts'
import type { GuestInput } from '../program.ts'
import { keyOrders } from './key-orders.ts'

/**
 * State that the events of a batch may see of each other: none ('event'); the variables of the module within the batch
 * ('batch'); also what earlier batches left in them, without any guarantee ('none').
 */
export type Isolation = 'event' | 'batch' | 'none'

/**
 * Consecutive events of a batch, encoded as one list: key orders (see key-orders.ts), events and, if requested, their
 * metadata. `first` and `count` say which events; `start` and `end` are offsets in the bytes of the request.
 */
export interface BatchDocument {
  readonly first: number
  readonly count: number
  readonly start: number
  readonly end: number
}

/**
 * A batch for a machine, in this thread or another. Plain data; `bytes` can be transferred. Indexes are positions in
 * the batch.
 */
export interface BatchRequest {
  readonly isolation: Isolation
  readonly count: number
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly documents: readonly BatchDocument[]
  /** Whether the documents include metadata. */
  readonly withMetadata: boolean
  /**
   * Whether answers are read right after each event instead of in groups. Needed for programs whose events share the
   * objects that they return.
   */
  readonly eager: boolean
  /** Whether these events run again because their answers were lost together with those of other events. */
  readonly isRepeat: boolean
  /** Running time left for the batch. */
  readonly timeMs: number
  /** Bytes left for answers; see OutputGauge. */
  readonly room: OutputRoom
}

/**
 * Bytes left for answers: `shareBytes` for each event, and `commonBytes` for all events that need more than their
 * share.
 */
export interface OutputRoom {
  readonly shareBytes: number
  readonly commonBytes: number
}

/** Answers of one or more events. */
export interface BatchPart {
  readonly indexes: readonly number[]
  /** Whether the document is a list of answers. */
  readonly isList: boolean
  readonly start: number
  readonly end: number
  /** Whether memory had been exhausted when the answers were read. */
  readonly isFull: boolean
  /** Bytes charged to the room for answers of the batch. */
  readonly weight: number
}

/** Result of a batch, also plain data. Every event is in one of `parts`, `failures` and `again`. */
export interface BatchReply {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly parts: readonly BatchPart[]
  /** Events without an answer. Index -1 means all of them (transformBatch). */
  readonly failures: readonly { readonly index: number; readonly error: StageError }[]
  /** Events to run again, each in a document of its own, because a failure of another event affected them. */
  readonly again: readonly number[]
  /** Running time used. */
  readonly spentMs: number
  /** Number of host calls by user code. A batch without any can be run again without side effects. */
  readonly hostCalls: number
}

/**
 * Size at which a document ends. It ends with the event that reaches this size, so that one event does not use up the
 * memory of others.
 */
const documentBytes = 512 * 1024

export interface EncodeOptions {
  readonly isolation: Isolation
  readonly eager: boolean
  readonly timeMs: number
  readonly room: OutputRoom
  readonly usesMetadata: boolean
  /** Whether every event gets a document of its own, as with isolation 'event'. */
  readonly singly: boolean
}

/** An event that cannot be encoded. */
interface Unsendable {
  readonly index: number
  readonly message: string
}

/** Encodes a batch. An event that cannot be encoded is null in the batch and listed in `unsendable`. */
export function encodeBatch(
  encoder: DocumentEncoder,
  inputs: readonly GuestInput[],
  { isolation, eager, timeMs, room, usesMetadata, singly }: EncodeOptions,
): { readonly request: BatchRequest; readonly unsendable: readonly Unsendable[] } {
  const documents: BatchDocument[] = []
  const unsendable: Unsendable[] = []
  const eventsMax = singly || isolation === 'event' ? 1 : inputs.length
  for (let first = 0; first < inputs.length; ) {
    let index = first
    const start = encoder.length
    encoder.beginList()
    encoder.element(keyOrders(inputs[first]?.event, Math.min(eventsMax, inputs.length - first)))
    while (index < inputs.length && index - first < eventsMax && encoder.listBytes < documentBytes) {
      const refused = encoder.element(inputs[index]?.event)
      if (refused) unsendable.push({ index, message: refused.message })
      index += 1
    }
    if (usesMetadata) for (let i = first; i < index; i += 1) encoder.element(inputs[i]?.metadata)
    encoder.endList()
    documents.push({ first, count: index - first, start, end: encoder.length })
    first = index
  }
  const bytes = encoder.take()
  const request: BatchRequest = {
    isolation,
    count: inputs.length,
    bytes,
    documents,
    withMetadata: usesMetadata,
    eager,
    isRepeat: singly,
    timeMs,
    room,
  }
  return { request, unsendable }
}
