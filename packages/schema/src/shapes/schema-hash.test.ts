import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { flattenEvent } from './flatten-event.ts'
import { schemaHash } from './schema-hash.ts'

interface Vectors {
  readonly benchInput: { readonly flattenedKeys: number; readonly schemaHash: string }
  readonly cases: readonly {
    readonly name: string
    readonly event: JsonObject
    readonly schema: Readonly<Record<string, string>>
    readonly schemaHash: string
  }[]
}

const repositoryRoot = fileURLToPath(new URL('../../../..', import.meta.url))
const conformance = process.env['SLUICE_CONFORMANCE'] ?? join(repositoryRoot, '..', 'shared', 'conformance')
const folder = join(conformance, 'governance', 'event-schema')
const read = <T>(file: string): T => JSON.parse(readFileSync(join(folder, file), 'utf8'))

describe('schema hash', () => {
  it('is the MD5 of `key:type,` in byte order of the keys', () => {
    expect(schemaHash({ a: 'string', B: 'string' })).toBe('321a7acfa20bf441f90d5e04e57ead97')
    expect(schemaHash({})).toBe('d41d8cd98f00b204e9800998ecf8427e')
  })

  it('sorts whole-number keys as text', () => {
    // JavaScript lists 9 before 10 in any case; byte order is 10, 9.
    expect(schemaHash({ 9: 'string', 10: 'float64' })).toBe('019a3ab30364d68474c20f98c27d0baf')
  })

  it('distinguishes types', () => {
    expect(schemaHash({ a: 'string' })).not.toBe(schemaHash({ a: 'bool' }))
  })
})

describe('schema hash, recorded vectors', () => {
  if (!existsSync(join(folder, 'schema_vectors.json'))) {
    process.stderr.write(`schema vectors skipped: ${folder} does not exist\n`)
    it.skip(`skipped: no conformance data at ${folder} (set SLUICE_CONFORMANCE)`, () => {})
    return
  }
  const vectors = read<Vectors>('schema_vectors.json')
  // `flattenedKeys` of a row also counts null members, which have no key in a schema.
  for (const { name, event, schema, schemaHash: want } of vectors.cases) {
    it(`agrees on ${name}`, () => {
      const flat = flattenEvent(event)
      expect(flat).toEqual(schema)
      expect(schemaHash(flat)).toBe(want)
    })
  }
  it('agrees on an event with a thousand keys', () => {
    const [event = {}] = read<{ readonly batch: readonly JsonObject[] }>('bench_test_input.json').batch
    const flat = flattenEvent(event)
    expect(Object.keys(flat)).toHaveLength(vectors.benchInput.flattenedKeys)
    expect(schemaHash(flat)).toBe(vectors.benchInput.schemaHash)
  })
})
