import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  configurationError,
  convert,
  instrumentationError,
  type MappingError,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { isIdentifier } from './person.ts'

const objectPath = ['config', 'destination', 'object']

/**
 * Maps a row of a warehouse to a person, or to an event where the connection says so. Source: RudderStack docs, Customer.io, Reverse
 * ETL; Customer.io docs, Track API v2.
 */
export function recorded(event: TypedEvent, connection: JsonObject | undefined): JsonObject | MappingError {
  const { action, identifiers } = event
  const object = valueAt(connection ?? {}, objectPath) ?? 'person'
  const given = isJsonObject(identifiers) ? identifiers : {}
  const key = (['cio_id', 'id', 'email'] as const).find((name) => isIdentifier(given[name]))
  if (key === undefined) return instrumentationError('a record needs a cio_id, an id or an email among its identifiers')
  const { [key]: id, ...others } = given
  const person = { type: 'person', identifiers: { [key]: id } }
  if (object === 'event') return happened(event, person, others)
  if (object !== 'person') return configurationError('the object of the connection must be person or event')
  if (action === 'delete') return { ...person, action: 'delete' }
  if (!isChange(action)) return unknownAction
  const { fields } = event
  return { ...person, action: 'identify', ...attributes({ ...others, ...(isJsonObject(fields) && fields) }) }
}

const isChange = (action: unknown): boolean => action === 'insert' || action === 'update'
const unknownAction = instrumentationError('the action of a record must be insert, update or delete')

function happened({ action, fields }: TypedEvent, person: JsonObject, others: JsonObject): JsonObject | MappingError {
  if (action === 'delete') return configurationError('a record of an event cannot be deleted: Customer.io keeps events')
  if (!isChange(action)) return unknownAction
  const { name, ...identifiers } = others
  if (typeof name !== 'string' || name === '')
    return instrumentationError('a record of an event needs the identifier name')
  const { created_at: createdAt, ...own } = { ...identifiers, ...(isJsonObject(fields) && fields) }
  const timestamp = createdAt === undefined ? undefined : convert.seconds(createdAt)
  return { ...person, action: 'event', name, ...attributes(own), ...(timestamp !== undefined && { timestamp }) }
}

function attributes(members: JsonObject): JsonObject {
  return Object.keys(members).length === 0 ? {} : { attributes: members }
}
