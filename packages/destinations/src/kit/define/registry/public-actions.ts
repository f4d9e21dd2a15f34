import type { JsonObject } from '@sluice/core'

/** What the subscriptions of a destination choose from. */
export interface PublicActions {
  readonly actions: readonly PublicAction[]
  readonly presets: readonly PublicPreset[]
}

export interface PublicAction {
  /** Name that subscriptions use. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** Condition under which the action runs when neither a subscription nor a preset has one. */
  readonly defaultSubscription?: string
  /** Whether events can be sent together. */
  readonly batches: boolean
  /** JSON Schema of the payload: labels, descriptions, defaults, choices, required members. */
  readonly fields: JsonObject
}

export interface PublicPreset {
  readonly name: string
  readonly action: string
  /** Condition in FQL. */
  readonly subscribe: string
  /** Whether it applies when settings have no subscriptions. */
  readonly isAutomatic: boolean
}
