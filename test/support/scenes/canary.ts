import type { WorkspaceDefinition } from 'sluice'
import { accessKey } from '../brokers/s3-server.ts'
import { askMysql, mysqlServer } from '../databases/mysql.ts'
import { ask } from '../databases/postgres.ts'
import { hashOf } from '../http/api-client.ts'
import { shop } from './shop.ts'

/** A text that only events of the person have. A regulation has to keep the ids of the person, but nothing else. */
export const canary = 'ribbon-9923'
/** A text of another person's events, which stays. */
export const staying = 'button-1207'

/** Every id of the person, as a regulation names them. */
export const personIds = ['zanzibar-4711', 'zanzibar-device', 'zanzibar-before']

/** How senders and user code write the ids of the person. */
const spellings = ['zanzibar-4711', ' zanzibar-4711\t', 'zanzibar\u200b-4711', '\ufeffzanzibar-4711']

/** Events of the person in every way in which one can belong to a person, and some of another person. */
export function canaryEvents(round: string): readonly object[] {
  const properties = { colour: canary, link: `https://shop.test/?q=${canary}` }
  const event = 'Bought a ribbon'
  const ofPerson = [
    ...spellings.map((userId) => ({ type: 'track', event, userId, properties })),
    { type: 'identify', userId: personIds[0], anonymousId: personIds[1], traits: { colour: canary } },
    { type: 'track', event, anonymousId: personIds[1], properties },
    { type: 'page', name: 'Ribbons', anonymousId: personIds[1], properties },
    { type: 'alias', userId: personIds[0], previousId: personIds[2], context: { traits: { colour: canary } } },
    {
      type: 'track',
      event,
      anonymousId: 'other',
      context: { externalId: [{ type: 'crm', id: personIds[0] }] },
      properties,
    },
    { type: 'group', userId: personIds[0], groupId: 'sewers', traits: { colour: canary } },
  ]
  const ofOther = { type: 'track', event: 'Bought a button', userId: 'other', properties: { colour: staying } }
  return [...ofPerson, ofOther].map((each, n) => ({ messageId: `${round}-${n}`, ...each }))
}

/** Makes outputs with message ids that no input has, as code that splits or joins events does. */
const newIds = {
  code: `export function transformBatch(events) {
    return events.map((event, n) => ({ ...event, messageId: 'made-' + n + '-' + event.messageId }))
  }`,
}

export interface CanaryPlaces {
  /** Of a receiver with the paths `/takes`, `/waits` and `/refuses`. */
  readonly receiver: string
  /** Schema in PostgreSQL and database in MySQL, for one warehouse each. */
  readonly namespace: string
  /** Address of a server of S3 with the bucket `lake`, for the third warehouse. */
  readonly s3: string
}

/** A workspace that keeps events everywhere: three kinds of warehouses, dead letters, and events that wait for a retry. */
export function canaryWorkspace({ receiver, namespace, s3 }: CanaryPlaces): WorkspaceDefinition {
  const hook = (id: string) => ({ id, type: 'WEBHOOK' as const, settings: { webhookUrl: `${receiver}/${id}` } })
  const often = { syncSeconds: 1, syncEvents: 1 }
  const destinations = [
    { ...hook('takes'), transformation: newIds },
    { ...hook('refuses'), transformation: newIds },
    hook('waits'),
    {
      id: 'postgres',
      type: 'POSTGRES' as const,
      settings: { host: '127.0.0.1', database: 'test', user: 'postgres', namespace, ...often },
    },
    { id: 'mysql', type: 'MYSQL' as const, settings: { ...mysqlServer, namespace, ...often } },
    {
      id: 'lake',
      type: 'S3_DATALAKE' as const,
      settings: { bucketName: 'lake', region: 'us-east-1', endPoint: s3, ...accessKey, ...often },
    },
  ]
  return shop('', {
    accessTokens: [{ name: 'all', token: hashOf('all') }],
    destinations,
    connections: destinations.map(({ id }) => ({ source: 'web', destination: id })),
  })
}

/** Rows of all tables of a schema of PostgreSQL that hold a text, with the names of their tables. */
export async function rowsInPostgres(schema: string, text: string): Promise<readonly string[]> {
  const tables = await ask(`select tablename from pg_tables where schemaname = '${schema}'`)
  const hex = Buffer.from(text).toString('hex')
  const found = await Promise.all(
    tables.map(async ({ tablename }) => {
      const rows = await ask(
        `select row::text as line from ${schema}.${tablename} as row where row::text ilike '%${text}%' or row::text ilike '%${hex}%'`,
      )
      return rows.map(({ line }) => `${tablename}: ${line}`)
    }),
  )
  return found.flat()
}

/** Rows of all tables of a database of MySQL that hold a text. */
export async function rowsInMysql(database: string, text: string): Promise<readonly string[]> {
  const tables = await askMysql(
    `select table_name as name from information_schema.tables where table_schema = '${database}'`,
  )
  const found = await Promise.all(
    tables.map(async ({ name }) =>
      (await askMysql(`select * from \`${database}\`.\`${name}\``)).map((row) => `${name}: ${JSON.stringify(row)}`),
    ),
  )
  return found.flat().filter((line) => line.includes(text))
}
