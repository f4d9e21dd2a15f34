import { type Event, type EventType, eventTypes, InvariantError, isEventType, type JsonObject } from '@sluice/core'
import type { Static, TObject, TSchema } from 'typebox'
import type { DeliveryRequest } from './delivery-request.ts'
import type { MappingError } from './mapping-error.ts'

/** An event of which the destination-transform stage has checked the type. */
export type TypedEvent = Event & { readonly type: EventType }

/** Answers whether an event has one of the six types. */
export function isTypedEvent(event: Event): event is TypedEvent {
  return isEventType(event['type'])
}

/** What a mapping answers. An empty list means that there is nothing to send for this event. */
export type Mapped = DeliveryRequest | readonly DeliveryRequest[] | MappingError

/** One event and what becomes of it. Shown to readers, and run as a test for every definition. */
export type DestinationExample = {
  /** A sentence. */
  readonly title: string
  readonly event: Event
  /** As a person would write them: defaults may be left out. */
  readonly settings: JsonObject
} & ({ readonly requests: readonly DeliveryRequest[] } | { readonly error: MappingError })

/** A destination as data: what it is called, what can be set, and how an event becomes requests. */
export interface DestinationDefinition<Settings extends TObject = TObject> {
  /** Upper case and unique; compared without regard to case. */
  readonly type: string
  readonly displayName: string
  /** Where the product keeps a user under the userId alone, so that other identifiers cannot find one. */
  readonly storage?: 'key-value' | 'object'
  /** Events of another type are dropped before `requests` is asked. */
  readonly supports: readonly EventType[]
  /**
   * Gives the static type, validation, defaults and the public definition. The order of its keys is that of
   * `defaultConfig`. A schema may say in an option `allowed` what it takes, in words for the person who set it wrong.
   */
  readonly settings: Settings
  /** Dotted key paths of settings nobody gets to see again; a list counts as its elements (`headers.to`). */
  readonly secrets: readonly string[]
  /**
   * Pure: reads no clock, network or environment, changes nothing it is given, and gives the same for the same input.
   * A method rather than a function property, so that a list can hold definitions of different settings.
   * @param settings complete: as `parseSettings` gives them.
   */
  requests(event: TypedEvent, settings: Static<Settings>): Mapped
  readonly examples: readonly DestinationExample[]
}

/** For `supports`: every message type there is. */
export const everyType = eventTypes

/**
 * Declares a destination; infers the type of its settings from their schema.
 *
 * @throws InvariantError when `type` is not upper case, or a secret path leads nowhere: a misspelled path would show the
 * secret. Both are found when the definition is loaded.
 */
export function defineDestination<Settings extends TObject>(
  definition: DestinationDefinition<Settings>,
): DestinationDefinition<Settings> {
  const { type, settings, secrets } = definition
  if (!/^[A-Z][A-Z0-9_]*$/.test(type)) {
    throw new InvariantError(`Destination type ${type} must be upper-case letters, digits and underscores.`)
  }
  for (const path of secrets) {
    if (!leadsSomewhere(settings, path)) {
      throw new InvariantError(`Secret path ${path} of ${type} is not a path of its settings.`)
    }
  }
  return definition
}

function leadsSomewhere(settings: TObject, path: string): boolean {
  let at: SettingsNode | undefined = settings
  for (const key of path.split('.')) {
    while (at?.items) at = at.items
    at = at?.properties?.[key]
  }
  return at !== undefined
}

/** The part of a settings schema that says where values are: members of an object, elements of a list. */
export interface SettingsNode extends TSchema {
  readonly properties?: Readonly<Record<string, SettingsNode>>
  readonly items?: SettingsNode
}
