import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Event } from '@sluice/core'

const shared = resolve(process.env['SLUICE_CONFORMANCE'] ?? '../shared/conformance', 'events-1k.ndjson')
const sample = resolve('packages/sluice/sample/mobile.ndjson')

export interface Corpus {
  readonly name: string
  readonly texts: readonly string[]
  readonly events: readonly Event[]
}

/** The events every bench runs on: the shared 1,000 where they are, otherwise the sample's well-formed ones. */
export function loadCorpus(): Corpus {
  const path = existsSync(shared) ? shared : sample
  const texts = readFileSync(path, 'utf8').split('\n').filter(isEvent)
  return {
    name: `${path === shared ? 'events-1k' : 'sample'}, ${texts.length} events`,
    texts,
    events: texts.map(parse),
  }
}

function isEvent(line: string): boolean {
  try {
    const value = parse(line)
    return typeof value['userId'] === 'string' && value['type'] === 'track'
  } catch {
    return false
  }
}

function parse(text: string): Event {
  return JSON.parse(text) as Event
}
