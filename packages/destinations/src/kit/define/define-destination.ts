import { type Event, InvariantError, type JsonObject, type JsonValue } from '@sluice/core'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Batch, BatchEntry, BatchLimits } from '../batching/batch-rule.ts'
import { withGates } from '../event-filter/with-gates.ts'
import type { Answers, Ask } from '../map/ask.ts'
import type { MappingError } from '../map/mapping-error.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import type { Mapping } from '../rules/mapping.ts'
import { nameMapping, overridesSetting } from '../rules/overrides.ts'
import type { Rule } from '../rules/rule.ts'
import type { SettingsProblem } from '../settings/settings-problem.ts'
import type { AccountRule } from './account/account-rule.ts'
import type { ActionRule } from './action-rule.ts'
import type { DeletionRule } from './deletion.ts'
import type { KeptLinesRule } from './kept-lines.ts'
import type { LoadRule } from './load-rule.ts'
import type { MessageType, TypedEvent } from './message-type.ts'
import type { PublicActions } from './registry/public-actions.ts'
import type { DestinationReply, Verdict } from './reply/reply.ts'

/** Input of a mapping besides event and settings. Mappings read no clock and no store themselves. */
export interface MappingContext {
  /** Current time in milliseconds since 1970. */
  readonly now: number
  /** Source of the event, if known. */
  readonly sourceId?: string
  readonly destinationId?: string
  /** Tokens of the account, if the destination has one. Secret. */
  readonly tokens?: JsonObject
  /** Answers to questions that the mapping asked before: see `ask`. */
  readonly answers?: Answers
  /**
   * The connection that the event came through, if it has settings: `{ config: { destination: settings } }`, as in
   * RudderStack.
   */
  readonly connection?: JsonObject
}

/** Result of a mapping. An empty list means that there is nothing to send for the event. */
export type Mapped = DeliveryRequest | readonly DeliveryRequest[] | MappingError | Ask

/** An event and the requests it is mapped to. Shown in the README, and run as a test for every definition. */
export type DestinationExample = {
  /** A sentence that says what the example shows. */
  readonly title: string
  readonly event: Event
  /** Settings as a user writes them, without defaults. */
  readonly settings: JsonObject
  /** Current time; default: the beginning of 2024. */
  readonly now?: number
  readonly sourceId?: string
  /** Answers to the questions of the mapping, by key. */
  readonly answers?: Readonly<Record<string, JsonValue>>
  readonly connection?: JsonObject
} & ({ readonly requests: readonly DeliveryRequest[] } | { readonly error: MappingError })

/** A destination as data: its names, its settings, and how events become requests. */
export interface DestinationDefinition<Settings extends TObject = TObject> {
  /**
   * Name of the type: unique, and upper case, or lower case after the prefix of its family (`segment/amplitude`).
   * Workspaces may write it in any case.
   */
  readonly type: string
  /** Names that RudderStack has for the type, in upper case. Records keep the one that they were given. */
  readonly otherTypes?: readonly string[]
  readonly displayName: string
  /**
   * Set when the mapping reads options from the `integrations` object of an event, which are then at `integrations`, under the type:
   * further names of the product besides its type and display name. All names are compared without case, blanks and `_`.
   */
  readonly otherNames?: readonly string[]
  /** Set when the product stores users only by userId, so that a deletion cannot use other identifiers. */
  readonly storage?: 'key-value' | 'object'
  /** Whether requests are sent over HTTP. When false, the Test API neither maps nor sends. Default true. */
  readonly isTestable?: false
  /**
   * Message types that are accepted, in any case. Events of other types are dropped before `requests` is called, which
   * gets the type in lower case.
   */
  readonly supports: readonly MessageType[]
  /** Set when types in another case, such as `TRACK`, are dropped as well, as by some destinations of RudderStack. */
  readonly matchesTypesExactly?: true
  /**
   * Set when events of any other type are accepted too, for destinations that send events as they are. `requests` then
   * gets each event unchanged, so it must read the type with `messageTypeOf`.
   */
  readonly takesAnyType?: true
  /**
   * JSON Schema of the settings. Determines their static type, validation, defaults and the public definition. Its keys
   * are in the order of `defaultConfig`. Options of a schema: `allowed` describes valid values in error messages;
   * `isUnlisted: true` marks a setting that RudderStack does not list in `defaultConfig`; `isFixed: true` forbids
   * templates, so that no event can decide the setting.
   */
  readonly settings: Settings
  /**
   * Returns problems of settings that fit the schema. Pure. For rules that a JSON Schema cannot express, such as names
   * that depend on other settings.
   */
  checkSettings?(settings: JsonObject): readonly SettingsProblem[]
  /** Dotted key paths of settings that are always masked; a list counts as its elements (`headers.to`). */
  readonly secrets: readonly string[]
  /**
   * Maps an event to requests. Pure: reads no clock, network or environment, does not change its input, and returns the
   * same for the same input. A method rather than a function property, so that a list can contain definitions with
   * different settings.
   *
   * @param settings complete settings, as returned by `parseSettings`.
   */
  requests(event: TypedEvent, settings: Static<Settings>, context: MappingContext): Mapped
  /**
   * The mappings that `requests` uses, by name. Declared here so that the settings they read are checked, that they can
   * be displayed, and that users can change them with the setting `overrides`.
   */
  readonly mappings?: Readonly<Record<string, Mapping>>
  /** Packs the requests of many events. Pure; usually created by `pack`. Without it, each event is sent by itself. */
  batch?(entries: readonly BatchEntry[], settings: Static<Settings>, limits?: BatchLimits): readonly Batch[]
  /** Interprets a reply. Pure. Without it, the HTTP status decides: see `verdictByStatus`. */
  respond?(reply: DestinationReply, request: DeliveryRequest): Verdict
  /**
   * Returns the next of several calls that deliver one request, or undefined after the last. Pure. `requests` shows what
   * is delivered; the calls are made when it is sent, one after the other, as long as each succeeds. `respond` reads all
   * replies; verdicts on items count for the last one. Absent when each request is one call.
   *
   * @param replies to the calls so far.
   */
  nextCall?(request: DeliveryRequest, replies: readonly DestinationReply[]): DeliveryRequest | MappingError | undefined
  /** What the destination refuses, cuts or delays: sentences with units, shown in the README. */
  readonly limits?: readonly string[]
  /** How to get tokens for its account. Absent when the settings contain all credentials. */
  readonly account?: AccountRule
  /** How to carry out ACTION requests. Absent when the definition makes none. */
  readonly action?: ActionRule
  /** How to load the ACTION requests of many events together. Absent where each is performed by itself. */
  readonly load?: LoadRule
  /** How to delete users. Absent when not supported. */
  readonly deletion?: DeletionRule
  /** How to delete users from lines that a sink keeps. */
  readonly keptLines?: KeptLinesRule
  /** Actions that settings choose from, for public descriptions. */
  readonly actions?: PublicActions
  readonly examples: readonly DestinationExample[]
}

/**
 * Declares a destination. Infers the type of its settings from their schema, keeps the name of its type, and adds the settings of all types: see
 * `withGates`.
 *
 * @throws InvariantError when `type` is not upper case, when a secret path does not exist (a misspelled path would
 * leave the secret unmasked), when a setting is shown depending on one that does not exist, or when a mapping reads a
 * setting that does not exist. All of these are found when the definition is loaded.
 */
export function defineDestination<Settings extends TObject, const Type extends string>(
  definition: DestinationDefinition<Settings> & { readonly type: Type },
): DestinationDefinition<Settings> & { readonly type: Type } {
  const { type, secrets } = definition
  const settings = completeSettings(definition)
  if (!/^(?:[A-Z][A-Z0-9_]*|[a-z]+\/[a-z0-9-]+)$/.test(type)) {
    throw new InvariantError(
      `Destination type ${type} must be upper-case letters, digits and underscores, or family/name in lower case.`,
    )
  }
  for (const path of secrets) {
    if (!leadsSomewhere(settings, path)) {
      throw new InvariantError(`Secret path ${path} of ${type} is not a path of its settings.`)
    }
  }
  for (const [name, setting] of Object.entries<SettingsNode>(settings.properties)) {
    for (const path of Object.keys(setting.shownWhen ?? {})) {
      if (leadsSomewhere(settings, path)) continue
      throw new InvariantError(`The setting ${name} of ${type} is shown depending on ${path}, which is no setting.`)
    }
  }
  for (const [name, { rules }] of Object.entries(definition.mappings ?? {})) {
    for (const path of settingsRead(rules)) {
      if (leadsSomewhere(settings, path)) continue
      throw new InvariantError(`The mapping ${name} of ${type} reads ${path}, which is not one of its settings.`)
    }
  }
  const { mappings = {} } = definition
  for (const [name, mapping] of Object.entries(mappings)) nameMapping(mapping, name)
  // A copy by value would call the getters of a definition, which may load much.
  const { settings: _, ...others } = Object.getOwnPropertyDescriptors(definition)
  return Object.defineProperties({ settings }, others) as DestinationDefinition<Settings> & { readonly type: Type }
}

/**
 * Adds the settings that no definition declares itself: the gates that every type has, and, where it has named mappings,
 * the fields that users map.
 */
function completeSettings<Settings extends TObject>({
  settings,
  mappings = {},
}: DestinationDefinition<Settings>): Settings {
  const names = Object.keys(mappings)
  const own: TProperties = names.length === 0 ? {} : { overrides: overridesSetting(names) }
  return { ...settings, properties: withGates({ ...settings.properties, ...own }) }
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

/** The parts of a settings schema that are used here: members of an object, elements of a list. */
export interface SettingsNode extends TSchema {
  readonly properties?: Readonly<Record<string, SettingsNode>>
  readonly items?: SettingsNode
  /** Names of required members. */
  readonly required?: readonly string[]
  readonly description?: string
  /** Values of other settings with which a form shows this one. */
  readonly shownWhen?: Readonly<Record<string, unknown>>
}
