import type { LookupAddress } from 'node:dns'
import type { ClientKind } from '../sinks/brokers/create-client.ts'
import type { TransportResult } from '../transport/transport.ts'

/** What a process begins with. */
export interface ClientSetup {
  readonly kind: 'setup'
  readonly client: ClientKind
  readonly allowAddresses: readonly string[]
  readonly connectTimeMs?: number
  readonly connectionsMax?: number
  /** Bytes that the process may take before it ends itself. */
  readonly memoryBytesMax: number
}

export type MessageToClient =
  | ClientSetup
  | {
      readonly kind: 'send'
      readonly id: number
      /** The request as JSON: it is measured as a text, and copied as one. */
      readonly request: string
      readonly owner: string
      readonly timeMs: number
      /** Whether the process must ask before the request leaves. */
      readonly asks: boolean
    }
  /** Answers `asks`. */
  | { readonly kind: 'may-leave'; readonly id: number; readonly isAllowed: boolean }
  /** No result is waited for any more. */
  | { readonly kind: 'stop'; readonly id: number }
  /** Answers `look-up`. */
  | {
      readonly kind: 'found'
      readonly id: number
      readonly addresses: readonly LookupAddress[]
      /** Code of an error. */
      readonly error?: string
    }
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }

export type MessageFromClient =
  | { readonly kind: 'ready' }
  | { readonly kind: 'asks'; readonly id: number }
  | { readonly kind: 'result'; readonly id: number; readonly result: TransportResult }
  | { readonly kind: 'look-up'; readonly id: number; readonly owner: string; readonly hostname: string }
  | { readonly kind: 'pong' }
  /** Why the process is about to end. */
  | { readonly kind: 'failing'; readonly reason: string }
