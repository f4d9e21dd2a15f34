import type { JsonObject } from '@sluice/core'
import type { PlanKind } from '../records/configuration-record.ts'
import { itemTypesOf, objectsIn, type PlanPart, type PlanParts, textOf } from './plan-parts.ts'

/** Returns what uses a part of tracking plans, for people. */
export function usersOf(kind: PlanKind, { id, body }: PlanPart, parts: PlanParts): readonly string[] {
  const name = textOf(body, 'name')
  const among = (ofKind: PlanKind, uses: (body: JsonObject) => boolean): readonly string[] =>
    [...parts[ofKind].values()].flatMap((part) =>
      part.id !== id && uses(part.body) ? `${ofKind} ${textOf(part.body, 'name')}` : [],
    )
  switch (kind) {
    case 'category':
      return among('event', ({ categoryId }) => categoryId === id)
    case 'customType':
      return among('property', ({ type, propConfig }) => type === name || itemTypesOf(propConfig).includes(name))
    case 'property':
      return [
        ...among('customType', (type) => names(type, id)),
        ...among('plan', ({ events }) => objectsIn(events).some((rule) => names(rule, id))),
      ]
    case 'event':
      return among('plan', ({ events }) => objectsIn(events).some((rule) => rule['id'] === id))
    case 'plan':
      return []
  }
}

/** Whether a rule, a type or a variant names a property, at any depth. */
function names({ properties, variants, cases, default: others, discriminator }: JsonObject, id: string): boolean {
  return (
    discriminator === id ||
    [...objectsIn(properties), ...objectsIn(others)].some((each) => each['id'] === id || names(each, id)) ||
    [...objectsIn(variants), ...objectsIn(cases)].some((each) => names(each, id))
  )
}
