import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, firstAt, generic, isMappingError, type Mapping, mapping, setMember, to } from '../../kit/index.ts'
import type { SalesforceSettings } from './salesforce-settings.ts'

const name = firstAt(generic.name)

/** Returns the words of the whole name before or after its first space. */
function partOfName(isFirst: boolean): (event: JsonObject) => string | undefined {
  return (event) => {
    const whole = name(event)
    if (typeof whole !== 'string') return undefined
    const [first = '', ...others] = whole.trim().split(' ')
    const last = others.length === 0 ? undefined : others.join(' ')
    return isFirst ? first : last
  }
}

const traits = (...names: readonly string[]): readonly string[] => [
  ...names.map((each) => `traits.${each}`),
  ...names.map((each) => `context.traits.${each}`),
]

const firstName = firstAt(generic.firstName)
const lastName = firstAt(generic.lastName)

const person = [
  to('Email').from(traits('email', 'Email')),
  to('FirstName').compute((event) => firstName(event) ?? partOfName(true)(event)),
  to('LastName')
    .compute((event) => lastName(event) ?? partOfName(false)(event))
    .or('n/a'),
  to('Phone').from(traits('phone', 'Phone')),
  to('Title').from(traits('title', 'Title')),
  to('Description').from(traits('description', 'Description')),
  to('LeadSource').from(traits('leadSource', 'LeadSource')),
  to('Salutation').from(traits('salutation', 'Salutation')),
  to('Fax').from(traits('fax', 'Fax')),
  to('MobilePhone').from(traits('mobilePhone', 'MobilePhone')),
]

/** Fields that take the trait of their own name, in either spelling: `ownerId` or `OwnerId`. Source: Salesforce docs, object reference. */
const sameNamed = (...names: readonly string[]) =>
  names.map((name) => to(name).from(traits(`${name.charAt(0).toLowerCase()}${name.slice(1)}`, name)))

const ofEach = sameNamed(
  'HasOptedOutOfEmail',
  'HasOptedOutOfFax',
  'IndividualId',
  'Jigsaw',
  'OwnerId',
  'RecordTypeId',
  'Suffix',
)

/** Where a person is, by what the fields of a kind begin with. */
const place = (prefix: string) =>
  ['Latitude', 'Longitude', 'StateCode'].map((name) => {
    const trait = `${name.charAt(0).toLowerCase()}${name.slice(1)}`
    return to(`${prefix}${name}`).from(traits(trait, `address.${trait}`, `${prefix}${name}`))
  })

/** Fields of the kinds of records that persons are. Salesforce requires the last name, and the company of a lead. */
export const salesforceFields = {
  Lead: mapping([
    ...person,
    ...ofEach,
    ...place(''),
    ...sameNamed('CreatedById', 'CurrencyIsoCode', 'Division', 'GeocodeAccuracy', 'IsUnreadByOwner'),
    to('Accuracy').from(traits('accuracy', 'address.accuracy', 'Accuracy')),
    to('CompanyDunsNumber').from(traits('companyDunsNumber', 'company.companyDunsNumber', 'CompanyDunsNumber')),
    to('CreatedDate').from(traits('createddate', 'CreatedDate')),
    to('Company').compute(companyOf).or('n/a'),
    to('City').from(traits('city', 'address.city', 'City')),
    to('Country').from(traits('country', 'address.country', 'Country')),
    to('State').from(traits('state', 'address.state', 'State')),
    to('Street').from(traits('street', 'address.street', 'Street')),
    to('PostalCode').from(traits('postalCode', 'address.postalCode', 'PostalCode')),
    to('Rating').from(traits('rating', 'Rating')),
    to('Industry').from(traits('industry', 'Industry')),
    to('NumberOfEmployees').from(traits('employees', 'company.employee_count', 'NumberOfEmployees')),
    to('AnnualRevenue').from(traits('annualRevenue', 'AnnualRevenue')),
    to('Website').from(traits('website', 'Website')),
    to('Status').from(traits('status', 'Status')),
  ]),
  Contact: mapping([
    ...person,
    ...ofEach,
    ...place('Mailing'),
    ...sameNamed('AccountId', 'AssistantName', 'AssistantPhone', 'CanAllowPortalSelfReg', 'CleanStatus', 'DoNotCall'),
    ...sameNamed(
      'EmailBouncedDate',
      'EmailBouncedReason',
      'HomePhone',
      'IsEmailBounced',
      'IsPersonAccount',
      'ReportsToId',
    ),
    to('MailingGeocodeAccuracy').from(traits('geocodeAccuracy', 'MailingGeocodeAccuracy')),
    to('MailingCity').from(traits('city', 'address.city', 'MailingCity')),
    to('MailingCountry').from(traits('country', 'address.country', 'MailingCountry')),
    to('MailingState').from(traits('state', 'address.state', 'MailingState')),
    to('MailingStreet').from(traits('street', 'address.street', 'MailingStreet')),
    to('MailingPostalCode').from(traits('postalCode', 'address.postalCode', 'MailingPostalCode')),
    to('Department').from(traits('department', 'Department')),
    to('Birthdate').from(traits('birthday', 'Birthdate')),
  ]),
} as const

const company = firstAt(generic.traits.map((path) => `${path}.company`))

function companyOf(event: JsonObject): JsonValue | undefined {
  const value = company(event)
  return isJsonObject(value) ? value['name'] : value
}

const traitsAt = firstAt(generic.traits, isJsonObject)

/** Traits that are no custom fields, besides those that a mapping reads. */
const notCustom = ['anonymousId', 'userId', 'id', 'address', 'name', 'firstname', 'lastname']

const standardNames = new Map<Mapping, ReadonlySet<string>>(
  // Contacts have no field for a company: theirs is a custom one.
  Object.entries(salesforceFields).map(([kind, fields]) => [
    fields,
    new Set([...notCustom, ...(kind === 'Lead' ? ['company'] : []), ...traitsReadBy(fields)]),
  ]),
)

function traitsReadBy({ rules }: Mapping): readonly string[] {
  const read = rules.flatMap(({ value }) => (value.of === 'source' ? value.paths : []))
  return [...[...read, ...generic.firstName.map(pathOf), ...generic.lastName.map(pathOf)]].map(
    (path) => path[path[0] === 'context' ? 2 : 1] ?? '',
  )
}

function pathOf(text: string): readonly string[] {
  return text.split('.')
}

/**
 * Returns the fields of a record of a kind: mapped for leads and contacts, otherwise the traits as they are. Other
 * traits are custom fields, whose names end in `__c`.
 */
export function fieldsOf(event: JsonObject, object: string, settings: SalesforceSettings): JsonObject {
  const source = traitsAt(event) ?? {}
  const isMapped = settings.mapProperty ?? settings.mapProperties
  const fields = Object.hasOwn(salesforceFields, object) ? salesforceFields[object as 'Lead'] : undefined
  if (!isMapped || fields === undefined) return source
  const mapped = fields(event, settings)
  if (isMappingError(mapped)) return source
  const record: Record<string, JsonValue | undefined> = { ...mapped }
  const standard = standardNames.get(fields) as ReadonlySet<string>
  for (const key of Object.keys(source)) {
    const value = source[key]
    if (standard.has(key) || value === null || value === undefined || value === '') continue
    setMember(record, `${key}__c`, typeof value === 'object' ? convert.text(value) : value)
  }
  return record
}
