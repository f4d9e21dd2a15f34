import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import { isSettingTemplate, type SettingsProblem } from '@sluice/destinations/kit'
import type { SegmentAction, SegmentDefinition, SegmentField, SegmentPreset } from '../peer/segment-definition.ts'

/** A subscription with everything filled in. */
export interface CompleteSubscription {
  /** Name of the action. */
  readonly action: string
  /** Condition in FQL. */
  readonly subscribe: string
  /** Whether the condition is that of the settings, not of the definition. */
  readonly hasOwnCondition: boolean
  readonly mapping: JsonObject
  /** Whether events are sent together; undefined: the mapping decides. */
  readonly batch?: boolean
  /** Path in the settings, for problems. */
  readonly path: string
}

type CompletedSubscriptions =
  | { readonly ok: true; readonly subscriptions: readonly CompleteSubscription[] }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] }

/** Members of a mapping that Segment's page adds for itself. */
const internalMember = /^__segment_internal_|^(?:onMappingSave|retlOnMappingSave)$/

/**
 * Fills in the subscriptions of settings that have the right shape: conditions and mappings come from the presets of the
 * definition, or from the defaults of its actions. Without `subscriptions`, the automatic presets are used.
 */
export function completeSubscriptions(definition: SegmentDefinition, settings: JsonObject): CompletedSubscriptions {
  const automatic = (definition.presets ?? []).filter((preset) => preset.type === 'automatic')
  const { subscriptions: given } = settings
  if (given === undefined) return fromPresets(definition, automatic)
  const problems: SettingsProblem[] = []
  const subscriptions: CompleteSubscription[] = []
  for (const [index, each] of (Array.isArray(given) ? given : []).entries()) {
    if (!isJsonObject(each) || each['enabled'] === false) continue
    const path = `subscriptions[${index}]`
    const completed = completeOne(definition, each, path)
    if ('subscription' in completed) subscriptions.push(completed.subscription)
    else problems.push(...completed.problems)
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, subscriptions }
}

function fromPresets(definition: SegmentDefinition, presets: readonly SegmentPreset[]): CompletedSubscriptions {
  if (presets.length === 0) {
    const names = Object.keys(definition.actions).join(', ')
    const allowed = `a list: ${definition.name} has no automatic presets. Its actions are ${names}`
    return { ok: false, problems: [{ path: 'subscriptions', value: undefined, allowed }] }
  }
  const known = presets.filter(({ partnerAction }) => partnerAction in definition.actions)
  const subscriptions = known.map(({ partnerAction, subscribe = '', mapping = {} }) => ({
    action: partnerAction,
    subscribe,
    hasOwnCondition: false,
    mapping,
    path: 'subscriptions',
  }))
  return { ok: true, subscriptions }
}

function completeOne(
  { actions, presets: all = [] }: SegmentDefinition,
  given: JsonObject,
  path: string,
): { readonly subscription: CompleteSubscription } | { readonly problems: readonly SettingsProblem[] } {
  const name = String(given['action'])
  const action = actions[name] as SegmentAction
  const presets = all.filter(({ partnerAction }) => partnerAction === name)
  const preset = presetOf(presets, given['preset'])
  if (preset === 'unknown') {
    const names = presets.map((each) => each.name).join(', ')
    const allowed = names === '' ? 'null: this action has no presets' : `one of ${names}, or null`
    return { problems: [{ path: `${path}.preset`, value: given['preset'], allowed }] }
  }
  const mapping = isJsonObject(given['mapping']) ? given['mapping'] : {}
  const problems = [
    ...unknownMembers(mapping, action, `${path}.mapping`),
    ...settingTemplates(mapping, `${path}.mapping`),
  ]
  const subscribe = given['subscribe'] ?? preset?.subscribe ?? action.defaultSubscription
  if (typeof subscribe !== 'string' || subscribe.trim() === '') {
    const allowed = `a condition in FQL, such as type = "track": ${name} has no default`
    problems.push({ path: `${path}.subscribe`, value: given['subscribe'], allowed })
    return { problems }
  }
  if (given['batch'] === true && action.performBatch === undefined)
    problems.push({ path: `${path}.batch`, value: true, allowed: `false: ${name} sends events one by one` })
  if (problems.length > 0) return { problems }
  const base = preset ? (preset.mapping ?? {}) : defaultsOf(action.fields)
  return {
    subscription: defined({
      action: name,
      subscribe,
      hasOwnCondition: typeof given['subscribe'] === 'string',
      mapping: { ...base, ...mapping },
      path,
      batch: typeof given['batch'] === 'boolean' ? given['batch'] : undefined,
    }),
  }
}

/** The named preset, the first automatic one when none is named, undefined for null. */
function presetOf(presets: readonly SegmentPreset[], name: unknown): SegmentPreset | undefined | 'unknown' {
  if (name === null) return undefined
  if (name === undefined) return presets.find(({ type }) => type === 'automatic')
  return presets.find((each) => each.name === name) ?? 'unknown'
}

/** Settings that events decide belong to other destinations: a mapping has `@path` and `@template` for that. */
function settingTemplates(value: JsonValue | undefined, path: string): readonly SettingsProblem[] {
  if (isSettingTemplate(value))
    return [{ path, value: 'a template', allowed: 'a directive, such as {"@path": "$.properties.name"}' }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => settingTemplates(member, `${path}.${key}`))
}

function defaultsOf(fields: Readonly<Record<string, SegmentField>> = {}): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  )
}

function unknownMembers(mapping: JsonObject, { fields = {} }: SegmentAction, path: string): SettingsProblem[] {
  const known = Object.keys(fields)
  // Actions without fields take any payload.
  if (known.length === 0) return []
  return Object.keys(mapping)
    .filter((name) => !Object.hasOwn(fields, name) && !internalMember.test(name))
    .map((name) => ({ path: `${path}.${name}`, value: name, allowed: `one of ${known.join(', ')}` }))
}
