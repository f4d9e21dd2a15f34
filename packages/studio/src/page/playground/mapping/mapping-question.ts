import type { Event } from '@sluice/core'
import type { DeliveryRequest, PublicDefinition, SettingsProblem } from '@sluice/destinations/kit'

/** Questions to the Worker that knows destinations. */
export type MappingQuestion =
  | { readonly kind: 'list' }
  | { readonly kind: 'describe'; readonly type: string }
  | { readonly kind: 'mask'; readonly type: string; readonly settings: object }
  /** Which events may reach the destination at all; asked before the transformation runs, as in production. */
  | { readonly kind: 'permit'; readonly type: string; readonly settings: object; readonly events: readonly Event[] }
  | { readonly kind: 'map'; readonly type: string; readonly settings: object; readonly events: readonly Event[] }

/** What a destination makes of one event. */
export type Mapped =
  | { readonly kind: 'requests'; readonly requests: readonly DeliveryRequest[] }
  /** The mapping must ask the product first, which a page does not do. */
  | { readonly kind: 'asks' }
  | { readonly kind: 'dropped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string }

export interface DestinationName {
  readonly type: string
  readonly displayName: string
}

export interface DestinationWords {
  readonly definition: PublicDefinition
  /** Settings of its first example: what one must fill in. */
  readonly settings: object
}

/** Results for each event, or what is wrong with the settings. */
export type MappedAll = { readonly mapped: readonly Mapped[] } | { readonly problems: readonly SettingsProblem[] }
export type Permitted =
  | { readonly denied: readonly (string | undefined)[] }
  | { readonly problems: readonly SettingsProblem[] }

export interface MappingAnswers {
  readonly list: readonly DestinationName[]
  readonly describe: DestinationWords
  readonly mask: object
  readonly permit: Permitted
  readonly map: MappedAll
}

export type ToMappingWorker = MappingQuestion & { readonly id: number }
export type FromMappingWorker = { readonly id: number } & (
  | { readonly answer: MappingAnswers[keyof MappingAnswers] }
  | { readonly problem: string }
)
