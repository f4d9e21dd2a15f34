import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { createSluice } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { noDuckDB, queryDuckDB } from '../support/databases/duckdb.ts'
import { type Contract, contractOf } from '../support/http/documented.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { allBlocks, nameOf, root } from './page-blocks.ts'
import { wayOf } from './way-of.ts'

const blocks = allBlocks().filter((block) => wayOf(block) === 'data')
const inLanguage = (language: string) =>
  blocks.filter((block) => block.language === language).map((block) => [nameOf(block), block] as const)

/** The answer that a JSON block shows, by page and heading; several under one heading in order. */
const answers: Readonly<Record<string, readonly string[]>> = {
  'packages/docs/api/diffs.md#Answer': ['POST /v2/diffs'],
  'packages/docs/api/operations.md#Payload of an event': ['GET /v1/events/m1/payload'],
  'packages/docs/api/operations.md#Last deliveries': ['GET /v1/destinations/hook/deliveries'],
  'packages/docs/api/operations.md#Circuits and pauses': ['GET /v1/circuits'],
  'packages/docs/api/operations.md#History': ['GET /v2/history'],
  'packages/docs/api/operations.md#Why not here': ['GET /v2/outcomes'],
  'packages/docs/api/operations.md#Server': ['GET /v2/server'],
  'packages/docs/api/operations.md#Audit': ['GET /v2/audit'],
  'packages/docs/api/operations.md#Changes': ['GET /v2/changes'],
  'packages/docs/api/transformations.md#Test': ['POST /transformations/libraries/test'],
}
/** JSON blocks that are no answers, and what they are. */
const others: Readonly<Record<string, string>> = {
  'packages/docs/behaviour/mapping.md#Consent': 'settings of a destination',
  'packages/docs/guides/segment-destinations.md#Install': 'a part of a package.json',
}

let contract: Contract
beforeAll(async () => {
  const sluice = await createSluice({ admin: { user: 'a', password: 'b' }, sandbox: { mode: 'in-process' } })
  contract = contractOf(await (await sluice.fetch(new Request('http://sluice.test/openapi.json'))).text())
  await sluice.stop()
})

describe('JSON that pages show', () => {
  it.each(inLanguage('json'))('is an answer that the OpenAPI document describes: %s', (_, block) => {
    const key = `${block.page}#${block.heading}`
    // An ellipsis stands for a time, and for an id.
    const text = block.text.replaceAll(/"(\w*(?:At|at|Since))": "…"/g, '"$1": "2026-01-01T00:00:00.000Z"')
    const parsed: unknown = JSON.parse(text)
    if (key in others) return
    const index = blocks
      .filter((each) => each.language === 'json' && `${each.page}#${each.heading}` === key)
      .indexOf(block)
    const [method = '', path = ''] = answers[key]?.[index]?.split(' ') ?? []
    expect(method, `${key} is in neither table of this file`).not.toBe('')
    const answer = { method, path, status: 200, type: 'application/json', text: JSON.stringify(parsed) }
    expect(contract.problemOf(answer)).toBeUndefined()
  })
})

describe('YAML that pages show', () => {
  const schema = JSON.parse(readFileSync(join(root, 'packages/sluice/dist/workspace.schema.json'), 'utf8')) as object
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)

  it.each(inLanguage('yaml'))('is a workspace file, or a part of one: %s', (_, block) => {
    const document = parseDocument(block.text, { uniqueKeys: true })
    expect(document.errors).toEqual([])
    const workspace = { id: 'shop', sources: [], destinations: [], connections: [], ...(document.toJS() as object) }
    expect([validate(workspace), ajv.errorsText(validate.errors)]).toEqual([true, 'No errors'])
  })
})

describe.skipIf(noDuckDB)('SQL that pages show', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sql-'))
  beforeAll(async () => {
    const event = { type: 'track', messageId: 'm1', userId: 'u1', event: 'Order Completed', properties: { total: 42 } }
    writeFileSync(join(folder, 'events.ndjson'), `${JSON.stringify(event)}\n`)
    const args = [
      'run',
      '--events',
      'events.ndjson',
      '--destination',
      'parquet',
      '--settings',
      '{"folder":"lake"}',
      '--load',
    ]
    // Twice, because rows of a data lake are only added, and the query is to find the newest.
    for (const _ of [1, 2]) expect((await runHosted(args, { cwd: folder })).status).toBe(0)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(inLanguage('sql'))('finds the loaded event once: %s', async (_, block) => {
    const rows = await queryDuckDB(':memory:', block.text.replaceAll("'lake/", `'${folder}/lake/`))
    expect(rows).toMatchObject([{ id: 'm1', event: 'order_completed' }])
  })
})
