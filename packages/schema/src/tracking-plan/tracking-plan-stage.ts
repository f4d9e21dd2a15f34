import {
  drop,
  type Event,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Outcome,
  type PlannedEvent,
  pass,
  type SourcedEvent,
  type Stage,
  type TrackingPlan,
} from '@sluice/core'
import { compileLinearRegex } from '@sluice/core/linear-regex'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** What is wrong with an event, as it stands in `context.violationErrors`. */
export interface Violation {
  readonly type: 'Required-Missing' | 'Datatype-Mismatch' | 'Additional-Property' | 'Unplanned-Event' | 'Other'
  /** Where, as a JSON Pointer; '' is the event itself. */
  readonly path: string
  /** Names keys and rules, never values. */
  readonly message: string
}

export const violationReason = 'violates the tracking plan'
export const unplannedReason = 'not in the tracking plan'

/** Violations told of one event. */
const violationsMax = 50
/** What is taken out can uncover what was hidden by it; then the rest is marked. */
const stripsMax = 5

/** Says what keeps a plan from being used: a schema that is none. Undefined when nothing does. */
export function trackingPlanProblem(plan: TrackingPlan): string | undefined {
  try {
    compilePlan(plan)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Holds events against the tracking plan of their source, by source id; events of other sources pass. The event that
 * came is never changed, a marked or stripped one is a copy. Source: packages/docs/behaviour/schemas.md#tracking-plans.
 *
 * @throws Error when a schema of a plan cannot be compiled: see `trackingPlanProblem`.
 */
export function createTrackingPlanStage(plans: ReadonlyMap<string, TrackingPlan>): Stage<SourcedEvent> {
  const compiled = new Map([...plans].map(([sourceId, plan]) => [sourceId, { plan, validators: compilePlan(plan) }]))
  return {
    name: 'tracking-plan',
    mutatesInput: false,
    run: async (batch) =>
      batch.map((item) => {
        const found = compiled.get(item.sourceId)
        return found === undefined ? pass(item) : check(item, found.plan, found.validators)
      }),
  }
}

type Validators = ReadonlyMap<string, ValidateFunction>

function compilePlan({ events }: TrackingPlan): Validators {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, code: { regExp: linearRegExp } })
  return new Map(events.map((planned) => [nameOf(planned), compileOne(ajv, planned)]))
}

/**
 * Patterns meet the texts of any sender: see `compileLinearRegex`. `code` is for validators that are written to
 * files.
 */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = compileLinearRegex(pattern, 'u')
    if (!compiled.ok) throw new Error(compiled.problem)
    return { ...compiled.regex, toString: () => `/${pattern}/u` } // ajv tells them apart by their text
  },
  { code: 'linearRegExp' },
)

function compileOne(ajv: Ajv2020, planned: PlannedEvent): ValidateFunction {
  try {
    return ajv.compile(planned.schema)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new Error(`the schema of ${planned.type} ${planned.event ?? ''} cannot be used: ${text}`)
  }
}

function nameOf(named: { readonly type?: unknown; readonly event?: unknown } & object): string {
  const { type, event } = named
  return type === 'track' ? `track ${typeof event === 'string' ? event : ''}` : String(type)
}

function check(item: SourcedEvent, plan: TrackingPlan, validators: Validators): Outcome<SourcedEvent> {
  const validate = validators.get(nameOf({ type: item.event['type'], event: item.event['event'] }))
  if (validate === undefined) {
    if (plan.unplanned === 'pass') return pass(item)
    if (plan.unplanned === 'drop') return drop(unplannedReason)
    return pass({
      ...item,
      event: marked(item.event, [{ type: 'Unplanned-Event', path: '', message: unplannedReason }]),
    })
  }
  if (validate(item.event)) return pass(item)
  if (plan.onViolation === 'drop') return drop(violationReason)
  if (plan.onViolation === 'mark') return pass({ ...item, event: marked(item.event, violationsOf(validate.errors)) })
  const event = structuredClone(item.event)
  for (let strips = 0; strips < stripsMax && !validate(event); strips += 1) {
    strip(event, validate.errors ?? [])
  }
  return pass({ ...item, event: validate(event) ? event : marked(event, violationsOf(validate.errors)) })
}

function violationsOf(errors: readonly ErrorObject[] | null | undefined): readonly Violation[] {
  return (errors ?? []).slice(0, violationsMax).map(({ keyword, instancePath, message = '' }) => ({
    type: violationTypes[keyword] ?? 'Other',
    path: instancePath,
    message,
  }))
}

const violationTypes: Readonly<Record<string, Violation['type']>> = {
  required: 'Required-Missing',
  type: 'Datatype-Mismatch',
  additionalProperties: 'Additional-Property',
  unevaluatedProperties: 'Additional-Property',
}

function marked(event: Event, violations: readonly Violation[]): Event {
  const context = isJsonObject(event['context']) ? event['context'] : {}
  return { ...event, context: { ...context, violationErrors: violations as unknown as JsonValue } }
}

/** Takes out the values that errors are about; of the event itself and of what is missing nothing can be taken. */
function strip(event: Event, errors: readonly ErrorObject[]): void {
  const places = errors.filter(({ keyword }) => keyword !== 'required').map(placeOf)
  // From the end, so that what is taken out of a list moves nothing that is still to be found.
  const apart = new Map(places.map((place) => [JSON.stringify(place.keys), place])).values()
  for (const { keys, keepsPlaces } of [...apart].sort((a, b) => comparePlaces(b.keys, a.keys))) {
    const last = keys.at(-1)
    if (last === undefined) continue
    let at: JsonValue | undefined = event
    for (const key of keys.slice(0, -1)) {
      at = typeof at === 'object' && at !== null ? (at as JsonObject)[key] : undefined
    }
    if (isJsonObject(at)) delete (at as Record<string, unknown>)[last]
    else if (!Array.isArray(at)) continue
    else if (keepsPlaces) at[Number(last)] = null
    else at.splice(Number(last), 1)
  }
}

interface Place {
  readonly keys: readonly string[]
  /** Of an item whose list has a schema for each place: it is emptied, so that those behind it keep theirs. */
  readonly keepsPlaces: boolean
}

function placeOf({ instancePath, params, schemaPath }: ErrorObject): Place {
  const extra: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  const keys = instancePath.split('/').slice(1).map(unescaped)
  return {
    keys: typeof extra === 'string' ? [...keys, extra] : keys,
    keepsPlaces: schemaPath.includes('/prefixItems/'),
  }
}

/**
 * In the order of the document, as far as it matters: items by their index, what lies deeper behind what it lies in.
 */
function comparePlaces(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((key, index) => key !== b[index])
  const [left, right] = [a[at], b[at]]
  if (left === undefined || right === undefined) return a.length - b.length
  return indexOf(left) - indexOf(right) || (left < right ? -1 : 1)
}

const indexOf = (key: string): number => (/^\d+$/.test(key) ? Number(key) : Number.POSITIVE_INFINITY)

const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')
