import type { StageError } from '@sluice/core'
import type { DocumentEncoder } from '../crossing/crossing.ts'
import type { GuestInput } from '../program.ts'
import { keyOrders } from './key-orders.ts'

/**
 * What events of a batch may see of each other: nothing ('event'), the state of the module ('batch'), or also that of
 * earlier batches, without any promise that it is still there ('none').
 */
export type Isolation = 'event' | 'batch' | 'none'

/** Some events of a batch as one list: see key-orders.ts, the events, and their metadata if it is asked for. The range is bytes of the request. */
export interface BatchDocument {
  readonly first: number
  readonly count: number
  readonly start: number
  readonly end: number
}

/** A batch for a machine, in this thread or another: plain data, `bytes` can be transferred. Indexes are places in it. */
export interface BatchRequest {
  readonly isolation: Isolation
  readonly count: number
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly documents: readonly BatchDocument[]
  /** True when the documents hold metadata. */
  readonly withMetadata: boolean
  /** Answers are read right after each event, not in groups: for programs whose events share what they return. */
  readonly eager: boolean
  /** True when events run again that were lost with others. */
  readonly isRepeat: boolean
  /** Running time that is left for the batch. */
  readonly timeMs: number
  /** What answers may weigh; see OutputGauge. */
  readonly room: OutputRoom
}

/** Bytes that are left for answers: of each event, and of larger ones in common. */
export interface OutputRoom {
  readonly shareBytes: number
  readonly commonBytes: number
}

/** Answers of one or several events. */
export interface BatchPart {
  readonly indexes: readonly number[]
  /** True when the document is a list of answers. */
  readonly isList: boolean
  readonly start: number
  readonly end: number
  /** True when memory was used up by then. */
  readonly isFull: boolean
  /** Bytes that count against the room of the batch. */
  readonly weight: number
}

/** What became of a batch; plain data as well. Every event is in `parts`, `failures` or `again`. */
export interface BatchReply {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly parts: readonly BatchPart[]
  /** Events without an answer; index -1 stands for all of them (transformBatch). */
  readonly failures: readonly { readonly index: number; readonly error: StageError }[]
  /** Events to be run once more, each in a document of its own: they were lost with what another one broke. */
  readonly again: readonly number[]
  /** Running time taken. */
  readonly spentMs: number
  /** Calls that user code made to the host. Without any, the batch can be run again unnoticed. */
  readonly hostCalls: number
}

/** A document ends with the event that makes it this long, so that one event never costs others their memory. */
const documentBytes = 512 * 1024

export interface EncodeOptions {
  readonly isolation: Isolation
  readonly eager: boolean
  readonly timeMs: number
  readonly room: OutputRoom
  readonly usesMetadata: boolean
  /** Every event gets a document of its own; so it does with isolation 'event'. */
  readonly singly: boolean
}

/** An event that cannot cross. */
export interface Unsendable {
  readonly index: number
  readonly message: string
}

/** Writes a batch. Events that cannot cross are null in it and named beside it. */
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
