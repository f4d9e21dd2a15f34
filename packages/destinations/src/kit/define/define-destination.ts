import { type Event, InvariantError, type JsonObject } from '@sluice/core'
import type { Static, TObject, TSchema } from 'typebox'
import type { Batch, BatchEntry, BatchLimits } from '../batching/batch.ts'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import type { MappingError } from '../map/mapping-error.ts'
import type { Mapping } from '../rules/mapping.ts'
import type { Rule } from '../rules/rule.ts'
import type { AccountRule } from './account.ts'
import type { DeletionRule } from './deletion.ts'
import type { KeptLinesRule } from './kept-lines.ts'
import type { MessageType, TypedEvent } from './message-type.ts'
import type { DestinationReply, Verdict } from './reply.ts'

/** What a mapping may know besides the event and the settings: it reads no clock and no store itself. */
export interface MappingContext {
  /** Milliseconds since 1970: what counts as the present. */
  readonly now: number
  /** Where the event came from, where that is known. */
  readonly sourceId?: string
  /** Tokens of an account, where the destination is used through one. Secret. */
  readonly tokens?: JsonObject
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
  /** Left out, the present is the beginning of 2024. */
  readonly now?: number
  readonly sourceId?: string
} & ({ readonly requests: readonly DeliveryRequest[] } | { readonly error: MappingError })

/** A destination as data: what it is called, what can be set, and how an event becomes requests. */
export interface DestinationDefinition<Settings extends TObject = TObject> {
  /** Upper case and unique; compared without regard to case. */
  readonly type: string
  readonly displayName: string
  /** Where the product keeps a user under the userId alone, so that other identifiers cannot find one. */
  readonly storage?: 'key-value' | 'object'
  /** False where requests do not leave over HTTP: the Test API neither maps for it nor sends to it. Default true. */
  readonly isTestable?: false
  /** Events of another type are dropped before `requests` is asked. */
  readonly supports: readonly MessageType[]
  /**
   * Gives the static type, validation, defaults and the public definition. The order of its keys is that of
   * `defaultConfig`. A schema may say in an option `allowed` what it takes, in words for the person who set it wrong, and
   * by `isUnlisted: true` that a setting is none of those RudderStack lists in `defaultConfig`. By `isFixed: true` it
   * says that no event may decide the setting: a template is refused there.
   */
  readonly settings: Settings
  /** Dotted key paths of settings nobody gets to see again; a list counts as its elements (`headers.to`). */
  readonly secrets: readonly string[]
  /**
   * Pure: reads no clock, network or environment, changes nothing it is given, and gives the same for the same input.
   * A method rather than a function property, so that a list can hold definitions of different settings.
   * @param settings complete: as `parseSettings` gives them.
   */
  requests(event: TypedEvent, settings: Static<Settings>, context: MappingContext): Mapped
  /** The mappings `requests` is made of, by name: what they read of the settings is checked, and they can be shown. */
  readonly mappings?: Readonly<Record<string, Mapping>>
  /** Packs the requests of many events into few. Pure. Left out, each event goes by itself. Most are made with `pack`. */
  batch?(entries: readonly BatchEntry[], settings: Static<Settings>, limits?: BatchLimits): readonly Batch[]
  /** Reads a reply. Pure. Left out, the HTTP status decides: 2xx, 429, 5xx, anything else. */
  respond?(reply: DestinationReply, request: DeliveryRequest): Verdict
  /** What it refuses, cuts or holds back, each in a sentence with its unit: shown to readers. */
  readonly limits?: readonly string[]
  /** How its account is opened, where it is used through one. Left out, settings hold all there is to know. */
  readonly account?: AccountRule
  /** How users are deleted there. Left out, the destination cannot. */
  readonly deletion?: DeletionRule
  /** The same where a sink keeps what was delivered, line by line. */
  readonly keptLines?: KeptLinesRule
  readonly examples: readonly DestinationExample[]
}

/**
 * Declares a destination; infers the type of its settings from their schema.
 *
 * @throws InvariantError when `type` is not upper case, or a secret path leads nowhere: a misspelled path would show the
 * secret; or when a rule of its mappings reads a setting that does not exist. All are found when the definition is loaded.
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
  for (const [name, { rules }] of Object.entries(definition.mappings ?? {})) {
    for (const path of settingsRead(rules)) {
      if (leadsSomewhere(settings, path)) continue
      throw new InvariantError(`The mapping ${name} of ${type} reads ${path}, which is not one of its settings.`)
    }
  }
  return definition
}

function settingsRead(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap((rule) => [
    ...(rule.value.of === 'settings' ? rule.value.paths.map((path) => path.join('.')) : []),
    ...(rule.kind === 'each' ? settingsRead(rule.rules) : []),
  ])
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
  /** Of the members. */
  readonly required?: readonly string[]
  readonly description?: string
}
