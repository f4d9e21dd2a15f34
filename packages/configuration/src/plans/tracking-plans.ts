import { isDeepStrictEqual } from 'node:util'
import { createKeyedQueue, isJsonObject, type JsonObject } from '@sluice/core'
import { repeatOnConflict } from '@sluice/core/repeat-on-conflict'
import { type PlanKind, planKinds } from '../records/configuration-record.ts'
import type { Configuration, ConfigurationChange, ConfigurationEntry } from '../service/configuration.ts'
import { type ConfigurationResult, done, refused } from '../service/configuration-error.ts'
import { eventRules } from './event-rules.ts'
import { isRefused, linkedPlan } from './linked-plan.ts'
import { planPartRefusal, planRuleRefusal } from './plan-part-refusal.ts'
import { itemTypesOf, objectsIn, type PlanPart, type PlanParts, textOf } from './plan-parts.ts'
import { usersOf } from './users-of.ts'

/** A part to store: a new one, or one that takes the place of another. */
export interface SavedPart {
  /** Absent for a new one. */
  readonly id?: string
  readonly externalId?: string
  /** Members that are not given stay; null removes one. */
  readonly body: JsonObject
}

/**
 * Tracking plans that are stored, with what they are made of. Each change also changes the plans of the sources that are
 * linked to it, all or none: what is stored is what events are checked by.
 */
export interface TrackingPlans {
  list(workspaceId: string, kind: PlanKind): readonly ConfigurationEntry[]
  find(workspaceId: string, kind: PlanKind, id: string): ConfigurationEntry | undefined
  save(workspaceId: string, kind: PlanKind, part: SavedPart): Promise<ConfigurationResult<ConfigurationEntry>>
  /** Refused while others use it. Deleting what is not there changes nothing. */
  remove(workspaceId: string, kind: PlanKind, id: string): Promise<ConfigurationResult<undefined>>
  /** Puts rules of events into a plan, each in place of the one that the event has. */
  putRules(
    workspaceId: string,
    planId: string,
    rules: readonly JsonObject[],
  ): Promise<ConfigurationResult<ConfigurationEntry>>
  /** Takes the rule of an event out of a plan. */
  removeRule(workspaceId: string, planId: string, eventId: string): Promise<ConfigurationResult<ConfigurationEntry>>
  /** Links a source to a plan, or to none. @returns the source. */
  link(
    workspaceId: string,
    sourceId: string,
    link: { readonly id: string; readonly config: JsonObject } | undefined,
  ): Promise<ConfigurationResult<ConfigurationEntry>>
  /** Returns the JSON Schema of an event of a plan; undefined when the plan has none. */
  eventRules(workspaceId: string, planId: string, eventId: string): JsonObject | undefined
  /** Returns all parts of a workspace at this moment. */
  parts(workspaceId: string): PlanParts
}

/** Most events of a plan. A plan of a source has at most 1,000, with those for other types. */
const rulesMax = 900
/** Most changes of one workspace that may wait: clients send dozens at the same time. */
const waitingMax = 200

type PlanChange = Exclude<ConfigurationChange, { readonly action: 'delete' }>

export function createTrackingPlans(configuration: Configuration): TrackingPlans {
  const changes = createKeyedQueue(waitingMax)

  const partsOf = (workspaceId: string): PlanParts => {
    const ofKind = (kind: PlanKind) =>
      new Map(configuration.list(workspaceId, kind).map(({ id, body }) => [id, { id, body }]))
    return Object.fromEntries(planKinds.map((kind) => [kind, ofKind(kind)])) as unknown as PlanParts
  }

  /** Runs one change after the other, because each is checked against what is stored; again when another process was faster. */
  const inTurn = async <T>(
    workspaceId: string,
    work: () => Promise<ConfigurationResult<T>>,
  ): Promise<ConfigurationResult<T>> => {
    if (changes.isFull(workspaceId))
      return refused('configurationBusy', `${waitingMax} changes of tracking plans are waiting; try again later`)
    return changes.run(workspaceId, async () => {
      const changed = await repeatOnConflict(async () => {
        const result = await work()
        return result.ok || result.error.code !== 'recordChanged' ? result : undefined
      })
      return changed ?? refused('configurationBusy', 'other processes keep changing the sources; try again later')
    })
  }

  /** Returns the changes of sources that are linked to a plan, for the parts as they would be. */
  const ofSources = (workspaceId: string, parts: PlanParts): ConfigurationResult<readonly PlanChange[]> => {
    const changed: PlanChange[] = []
    for (const { id, body, revision, managedBy } of configuration.list(workspaceId, 'source')) {
      const link = linkOf(body)
      const plan = parts.plan.get(link?.id ?? '')
      if (link === undefined || plan === undefined || managedBy === 'file') continue
      const trackingPlan = linkedPlan(plan, link.config, parts)
      if (isRefused(trackingPlan)) return invalid(trackingPlan.message)
      if (isDeepStrictEqual(trackingPlan, body['trackingPlan'])) continue
      changed.push({
        action: 'update',
        kind: 'source',
        id,
        ifRevision: revision,
        body: { trackingPlan },
      })
    }
    return done(changed)
  }

  const apply = async (
    workspaceId: string,
    own: readonly ConfigurationChange[],
    parts: PlanParts,
  ): Promise<ConfigurationResult<ConfigurationEntry | undefined>> => {
    const sources = ofSources(workspaceId, parts)
    if (!sources.ok) return sources
    const applied = await configuration.change(workspaceId, [...own, ...sources.value])
    return applied.ok ? done(applied.value[0]) : applied
  }

  const save = async (
    workspaceId: string,
    kind: PlanKind,
    { id, externalId, body }: SavedPart,
  ): Promise<ConfigurationResult<ConfigurationEntry>> => {
    const before = id === undefined ? undefined : configuration.find(workspaceId, kind, id)
    if (id !== undefined && before === undefined) return unknown(kind, id)
    const next = { ...before?.body, ...body }
    const part: PlanPart = { id: id ?? 'new', body: next }
    const renamed = kind === 'customType' && before ? renamedTypes(partsOf(workspaceId), before.body, next) : []
    const parts = withParts(partsOf(workspaceId), [
      [kind, part],
      ...renamed.map((each): [PlanKind, PlanPart] => ['property', each]),
    ])
    const refusal = planPartRefusal(kind, part, parts)
    if (refusal !== undefined) return invalid(refusal)
    const external = externalId === undefined ? {} : { externalId }
    const own: PlanChange =
      id === undefined
        ? { action: 'create', kind, ...external, body }
        : { action: 'update', kind, id, ...external, body }
    const ofProperties = renamed.map(
      (each): PlanChange => ({ action: 'update', kind: 'property', id: each.id, body: each.body }),
    )
    const saved = await apply(workspaceId, [own, ...ofProperties], parts)
    if (!saved.ok) return saved
    return saved.value ? done(saved.value) : unknown(kind, id ?? '')
  }

  const changeRules = async (
    workspaceId: string,
    planId: string,
    change: (rules: readonly JsonObject[], parts: PlanParts) => readonly JsonObject[] | string,
  ): Promise<ConfigurationResult<ConfigurationEntry>> => {
    const plan = configuration.find(workspaceId, 'plan', planId)
    if (plan === undefined) return unknown('plan', planId)
    const events = change(objectsIn(plan.body['events']), partsOf(workspaceId))
    if (typeof events === 'string') return invalid(events)
    if (events.length > rulesMax) return invalid(`a plan has at most ${rulesMax} events, got ${events.length}`)
    return save(workspaceId, 'plan', { id: planId, body: { events } })
  }

  return {
    list: (workspaceId, kind) => configuration.list(workspaceId, kind),
    find: (workspaceId, kind, id) => configuration.find(workspaceId, kind, id),
    save: (workspaceId, kind, part) => inTurn(workspaceId, () => save(workspaceId, kind, part)),
    remove: (workspaceId, kind, id) =>
      inTurn(workspaceId, async () => {
        const parts = partsOf(workspaceId)
        const part = parts[kind].get(id)
        if (part === undefined) return unknown(kind, id)
        const sources = configuration.list(workspaceId, 'source').filter(({ body }) => linkOf(body)?.id === id)
        const users = [...usersOf(kind, part, parts), ...sources.map((source) => `source ${source.id}`)]
        if (users.length > 0)
          return refused(
            'recordConnected',
            `${kind} ${id} is used by ${users.slice(0, 5).join(', ')}; change these first`,
          )
        const removed = await configuration.change(workspaceId, [{ action: 'delete', kind, id }])
        return removed.ok ? done(undefined) : removed
      }),
    putRules: (workspaceId, planId, rules) =>
      inTurn(workspaceId, () =>
        changeRules(workspaceId, planId, (before, parts) => {
          const refusal = rules.map((rule) => planRuleRefusal(rule, parts)).find((each) => each !== undefined)
          if (refusal !== undefined) return refusal
          const byEvent = new Map([...before, ...rules].map((rule) => [textOf(rule, 'id'), rule]))
          return [...byEvent.values()]
        }),
      ),
    removeRule: (workspaceId, planId, eventId) =>
      inTurn(workspaceId, () =>
        changeRules(workspaceId, planId, (before) =>
          before.some((rule) => rule['id'] === eventId)
            ? before.filter((rule) => rule['id'] !== eventId)
            : `event ${eventId} not found in the tracking plan`,
        ),
      ),
    link: (workspaceId, sourceId, link) =>
      inTurn(workspaceId, async () => {
        const source = configuration.find(workspaceId, 'source', sourceId)
        if (source === undefined) return refused('recordUnknown', `source ${sourceId} not found`)
        const parts = partsOf(workspaceId)
        const plan = link && parts.plan.get(link.id)
        if (link && plan === undefined) return unknown('plan', link.id)
        const trackingPlan = link && plan ? linkedPlan(plan, link.config, parts) : null
        if (trackingPlan && isRefused(trackingPlan)) return invalid(trackingPlan.message)
        const body = { planLink: link ?? null, trackingPlan }
        const linked = await configuration.change(workspaceId, [
          { action: 'update', kind: 'source', id: sourceId, body },
        ])
        if (!linked.ok) return linked
        const [entry] = linked.value
        return entry ? done(entry) : refused('recordUnknown', `source ${sourceId} not found`)
      }),
    eventRules(workspaceId, planId, eventId) {
      const parts = partsOf(workspaceId)
      const rule = objectsIn(parts.plan.get(planId)?.body['events']).find(({ id }) => id === eventId)
      const event = parts.event.get(eventId)
      return rule && event && eventRules(rule, event, parts)
    },
    parts: partsOf,
  }
}

/** Returns the plan that a source is linked to. */
export function linkOf({ planLink }: JsonObject): { readonly id: string; readonly config: JsonObject } | undefined {
  if (!isJsonObject(planLink)) return undefined
  return { id: textOf(planLink, 'id'), config: isJsonObject(planLink['config']) ? planLink['config'] : {} }
}

function unknown(kind: PlanKind, id: string): ConfigurationResult<never> {
  return refused('recordUnknown', `${kind} ${id} not found`)
}

function invalid(message: string): ConfigurationResult<never> {
  return refused('configurationInvalid', message)
}

function withParts(parts: PlanParts, changed: readonly (readonly [PlanKind, PlanPart])[]): PlanParts {
  const of = (kind: PlanKind): ReadonlyMap<string, PlanPart> => {
    const own = changed.flatMap(([ofKind, part]) => (ofKind === kind ? [[part.id, part] as const] : []))
    return own.length === 0 ? parts[kind] : new Map([...parts[kind], ...own])
  }
  return Object.fromEntries(planKinds.map((kind) => [kind, of(kind)])) as unknown as PlanParts
}

/** Returns the properties of a custom type that gets another name: they name it. */
function renamedTypes({ property }: PlanParts, before: JsonObject, next: JsonObject): readonly PlanPart[] {
  const [name, newName] = [textOf(before, 'name'), textOf(next, 'name')]
  if (name === newName || newName === '') return []
  return [...property.values()].flatMap(({ id, body }): readonly PlanPart[] => {
    const items = itemTypesOf(body['propConfig'])
    if (body['type'] === name) return [{ id, body: { ...body, type: newName } }]
    if (!items.includes(name)) return []
    const itemTypes = items.map((each) => (each === name ? newName : each))
    return [{ id, body: { ...body, propConfig: { ...(body['propConfig'] as JsonObject), itemTypes } } }]
  })
}
