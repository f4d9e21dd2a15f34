import type { StageError } from '@sluice/core'
import type { DocumentEncoder } from '../crossing/crossing.ts'
import type { GuestInput } from '../program.ts'
import { keyOrders } from './key-orders.ts'

/**
 * State that events of a batch may share: none ('event'), the state of the module ('batch'), or also that of earlier
 * batches, without any guarantee ('none').
 */
export type Isolation = 'event' | 'batch' | 'none'

/**
 * Some events of a batch as one list: key orders (see key-orders.ts), events and, if requested, their metadata. Start
 * and end are offsets in the bytes of the request.
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
  /** True when the documents include metadata. */
  readonly withMetadata: boolean
  /** Answers are read right after each event instead of in groups: for programs whose events share what they return. */
  readonly eager: boolean
  /** True when these events run again because they were lost together with others. */
  readonly isRepeat: boolean
  /** Running time left for the batch. */
  readonly timeMs: number
  /** Room for answers; see OutputGauge. */
  readonly room: OutputRoom
}

/** Bytes left for answers: per event, and shared by larger ones. */
export interface OutputRoom {
  readonly shareBytes: number
  readonly commonBytes: number
}

/** Answers of one or more events. */
export interface BatchPart {
  readonly indexes: readonly number[]
  /** True when the document is a list of answers. */
  readonly isList: boolean
  readonly start: number
  readonly end: number
  /** True when memory was exhausted by then. */
  readonly isFull: boolean
  /** Bytes charged to the room of the batch. */
  readonly weight: number
}

/** Result of a batch, also plain data. Every event is in `parts`, `failures` or `again`. */
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

/** A document ends with the event that reaches this length, so that one event does not use up the memory of others. */
const documentBytes = 512 * 1024

export interface EncodeOptions {
  readonly isolation: Isolation
  readonly eager: boolean
  readonly timeMs: number
  readonly room: OutputRoom
  readonly usesMetadata: boolean
  /** Every event gets a document of its own, as with isolation 'event'. */
  readonly singly: boolean
}

/** An event that cannot cross. */
export interface Unsendable {
  readonly index: number
  readonly message: string
}

/** Encodes a batch. Events that cannot cross are null in it, and are listed separately. */
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
