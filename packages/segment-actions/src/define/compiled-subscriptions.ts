import type { JsonObject } from '@sluice/core'
import type { SettingsProblem } from '@sluice/destinations'
import { type ActionResult, type ActionSource, type CompiledAction, compileAction } from '../map/compile-action.ts'
import type { SegmentCore } from '../peer/segment-core.ts'
import type { SegmentDefinition } from '../peer/segment-definition.ts'
import { checkFql } from './check-fql.ts'
import { type CompleteSubscription, completeSubscriptions } from './complete-subscriptions.ts'
import { fieldsMistake } from './fields-mistake.ts'

/** A subscription that can be run. */
export interface CompiledSubscription extends CompleteSubscription {
  readonly run: CompiledAction
  /** Whether payloads go into batches. */
  readonly isBatch: boolean
  /** `__segment_internal_sync_mode` of the mapping, for actions with sync modes. */
  readonly syncMode?: string
  readonly matchingKey?: string
}

type CompiledSubscriptions =
  | { readonly ok: true; readonly subscriptions: readonly CompiledSubscription[] }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] }

/** Returns a function that completes and compiles the subscriptions of settings, once for each list of subscriptions. */
export function createSubscriptionCompiler(
  definition: SegmentDefinition,
  core: SegmentCore,
): (settings: JsonObject) => CompiledSubscriptions {
  // Settings with values from events are new objects for each event; the list in them is the same.
  const known = new WeakMap<object, CompiledSubscriptions>()
  const withoutList = {}
  return (settings) => {
    const { subscriptions } = settings
    const key = Array.isArray(subscriptions) ? subscriptions : withoutList
    const compiled = known.get(key) ?? compileAll(definition, core, settings)
    known.set(key, compiled)
    return compiled
  }
}

function compileAll(definition: SegmentDefinition, core: SegmentCore, settings: JsonObject): CompiledSubscriptions {
  const completed = completeSubscriptions(definition, settings)
  if (!completed.ok) return completed
  const problems: SettingsProblem[] = []
  const subscriptions: CompiledSubscription[] = []
  for (const subscription of completed.subscriptions) {
    const compiled = compileOne(definition, core, subscription)
    if ('problems' in compiled) problems.push(...compiled.problems)
    else subscriptions.push(compiled.subscription)
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, subscriptions }
}

function compileOne(
  { actions }: SegmentDefinition,
  core: SegmentCore,
  subscription: CompleteSubscription,
): { readonly subscription: CompiledSubscription } | { readonly problems: readonly SettingsProblem[] } {
  const { action: slug, subscribe, mapping, path } = subscription
  const action = actions[slug]
  if (action === undefined)
    return { problems: [{ path: `${path}.action`, value: slug, allowed: `one of ${Object.keys(actions).join(', ')}` }] }
  const isBatch = action.performBatch !== undefined && (subscription.batch ?? mapping['enable_batching'] === true)
  const compiled = compileUnlessMistaken({ slug, action, subscribe, mapping, isBatch }, core)
  if ('mistake' in compiled)
    return { problems: [{ path, value: slug, allowed: `another action: ${compiled.mistake}` }] }
  const ofCondition = conditionProblems(subscription)
  // The check of conditions says more than Segment's reader about the same mistake.
  const others = compiled.ok ? [] : compiled.problems.filter(({ path: at }) => at !== 'subscribe' || !ofCondition[0])
  const problems = [...ofCondition, ...others]
  if (!compiled.ok || problems.length > 0)
    return { problems: problems.map((each) => ({ ...each, path: `${path}.${each.path}` })) }
  const { __segment_internal_sync_mode: syncMode, __segment_internal_matching_key: matchingKey } = mapping
  return {
    subscription: {
      ...subscription,
      run: compiled.map,
      isBatch,
      ...(action.syncMode && syncModes.has(syncMode) ? { syncMode: String(syncMode) } : {}),
      ...(matchingKey ? { matchingKey: String(matchingKey) } : {}),
    },
  }
}

/** A mistake in the fields of a definition must not end the process that reads settings. */
function compileUnlessMistaken(source: ActionSource, core: SegmentCore): ActionResult | { readonly mistake: string } {
  try {
    return compileAction(source, core)
  } catch (error) {
    return { mistake: fieldsMistake(source.slug, error) }
  }
}

/** Conditions of the definition are taken as Segment reads them, also those with mistakes: no user can mend them. */
function conditionProblems({ subscribe, hasOwnCondition }: CompleteSubscription): readonly SettingsProblem[] {
  const mistake = hasOwnCondition ? checkFql(subscribe) : undefined
  return mistake === undefined
    ? []
    : [{ path: 'subscribe', value: subscribe, allowed: `a condition in FQL; ${mistake}` }]
}

const syncModes: ReadonlySet<unknown> = new Set(['add', 'update', 'upsert', 'delete', 'mirror'])
