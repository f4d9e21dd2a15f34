import type { DestinationDefinition } from './kit/define/define-destination.ts'

/** A built-in destination that is loaded when it is needed. */
export interface LoadableDestination {
  readonly type: string
  readonly displayName: string
  load(): Promise<DestinationDefinition>
}
