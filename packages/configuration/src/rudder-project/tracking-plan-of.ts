import { eventTypes, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type Catalogue, objectSchema } from './object-schema.ts'
import { idIn, type Part, partsIn } from './resource.ts'

export interface PlanCatalogue extends Catalogue {
  readonly events: ReadonlyMap<string, Part>
  readonly plans: ReadonlyMap<string, Part>
  /** Notes what works differently here. */
  note(part: Part, text: string): void
}

/**
 * Returns the tracking plan of a source, undefined without one. A plan of Sluice has one answer to violations for all
 * types of events: the strictest, so that nothing passes that was kept out.
 */
export function trackingPlanOf(source: Part, catalogue: PlanCatalogue): JsonObject | undefined {
  const { governance } = source.value
  const validations = isJsonObject(governance) ? governance['validations'] : undefined
  if (!isJsonObject(validations)) return undefined
  const id = idIn(validations['tracking_plan'])
  const plan = catalogue.plans.get(id ?? '')
  if (plan === undefined) {
    catalogue.report(
      { ...source, path: `${source.path}.governance.validations.tracking_plan` },
      String(id ?? 'no reference'),
      'a tracking plan of the project, such as #tracking-plan:ID',
    )
    return undefined
  }
  const config = isJsonObject(validations['config']) ? validations['config'] : {}
  return { ...answersOf(source, config, catalogue), events: eventsOf(plan, catalogue, new Set()) }
}

function answersOf(source: Part, config: JsonObject, catalogue: PlanCatalogue): JsonObject {
  const answers = new Set(Object.values(config).filter(isJsonObject).map(onViolationOf))
  const { track } = config
  const onTrack = isJsonObject(track) ? track : {}
  const onViolation = strictestFirst.find((answer) => answers.has(answer)) ?? 'mark'
  if (answers.size > 1)
    catalogue.note(source, `its types of events answer violations differently; ${onViolation} counts for all`)
  const marks = onTrack['propagate_violations'] !== false
  const unplanned = onTrack['drop_unplanned_events'] === true ? 'drop' : marks ? 'mark' : 'pass'
  return { onViolation, unplanned }
}

const strictestFirst = ['drop', 'strip-unplanned', 'mark'] as const

function onViolationOf(config: JsonObject): (typeof strictestFirst)[number] {
  if (config['drop_other_violations'] === true) return 'drop'
  return config['drop_unplanned_properties'] === true ? 'strip-unplanned' : 'mark'
}

function eventsOf(plan: Part, catalogue: PlanCatalogue, including: ReadonlySet<Part>): readonly JsonValue[] {
  return partsIn(plan, 'rules').flatMap((rule): readonly JsonValue[] => {
    const { includes } = rule.value
    if (isJsonObject(includes)) return includedEvents(rule, includes, catalogue, new Set([...including, plan]))
    const reference = rule.value['event']
    const event = catalogue.events.get(idIn(reference) ?? '')
    if (event === undefined) {
      catalogue.report(rule, String(idIn(reference) ?? 'no reference'), 'an event of the project, such as #event:ID')
      return []
    }
    const type = String(event.value['event_type'] ?? event.value['type'] ?? 'track')
    if (!eventTypes.some((each) => each === type)) {
      catalogue.report({ ...event, path: `${event.path}.event_type` }, type, `one of ${eventTypes.join(', ')}`)
      return []
    }
    const name = type === 'track' ? { event: String(event.value['name'] ?? '') } : {}
    return [{ type, ...name, schema: eventSchema(rule, type, catalogue) }]
  })
}

/** Returns the events of `#/tp/PLAN/event_rule/RULE`, or of all rules of that plan with `*`. */
function includedEvents(
  rule: Part,
  { $ref }: JsonObject,
  catalogue: PlanCatalogue,
  including: ReadonlySet<Part>,
): readonly JsonValue[] {
  const [, id = '', ruleId = ''] = /^#\/tp\/([^/]+)\/event_rule\/(.+)$/.exec(String($ref)) ?? []
  const plan = catalogue.plans.get(id)
  if (plan === undefined || including.has(plan)) {
    catalogue.report(rule, String($ref), 'rules of another plan, such as #/tp/PLAN/event_rule/*')
    return []
  }
  const rules = partsIn(plan, 'rules').filter(({ value }) => ruleId === '*' || value['id'] === ruleId)
  const chosen = { ...plan, value: { ...plan.value, rules: rules.map(({ value }) => value) } }
  return eventsOf(chosen, catalogue, including)
}

/** Returns the schema of a whole event, with the properties in the section that the rule names. */
export function eventSchema(rule: Part, type: string, catalogue: Catalogue): JsonObject {
  const { event, identity_section: section, additional_properties: additional } = rule.value
  const older = isJsonObject(event) ? event : {}
  const named = section ?? older['identity_section']
  const keys = typeof named === 'string' && named !== '' ? named.split('.') : [defaultSection(type)]
  const inner = objectSchema(rule, catalogue, (additional ?? older['allow_unplanned']) === true)
  const isRequired = Array.isArray(inner['required'])
  return keys.reduceRight<JsonObject>(
    (schema, key) => ({ type: 'object', properties: { [key]: schema }, required: isRequired ? [key] : undefined }),
    inner,
  )
}

/** Returns where events of a type have what a plan describes. */
export function defaultSection(type: string): string {
  return type === 'identify' || type === 'group' ? 'traits' : 'properties'
}
