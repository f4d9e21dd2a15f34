import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, defined, mapping, setMember, to } from '../../kit/index.ts'

/** A company of a group event. Source: Intercom docs, Create or update a company. */
export const companyMapping = mapping([
  to('company_id').from('groupId').as(convert.text),
  to('name').from('traits.name'),
  to('website').from('traits.website'),
  to('plan').from('traits.plan'),
  to('size').from('traits.size').as(convert.number),
  to('industry').from('traits.industry'),
  to('monthly_spend').from('traits.monthlySpend').as(convert.number),
  to('remote_created_at').from('traits.remoteCreatedAt').as(convert.number),
  to('custom_attributes').rest('traits').unmapped().without('userId').flat().unlessEmpty(),
])

const membersOfUser: ReadonlySet<string> = new Set(['id', 'name', 'industry', 'remove'])

/**
 * Returns a company in the traits of a user as version v1 of the API takes it. Without an id, it is identified by the
 * MD5 of its name. Source: Intercom docs 1.4, Users, companies.
 */
export function userCompany(company: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(company)) return undefined
  const { id, name, industry, remove } = company
  if (!id && !name) return undefined
  const custom: Record<string, JsonValue | undefined> = {}
  for (const key of Object.keys(company)) {
    const value = company[key]
    if (membersOfUser.has(key) || value === null || value === undefined) continue
    setMember(custom, key, typeof value === 'object' ? JSON.stringify(value) : value)
  }
  return defined({
    company_id: id || convert.md5(name ?? ''),
    custom_attributes: custom,
    name,
    industry,
    remove,
  })
}
