import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { mapEvent, parseSettings, runPurely } from '@sluice/destinations'
import definition from './my-product.js'

// `sluice tap --record recorded.json` writes this file, from real events that failed.
const recorded = new URL('recorded.json', import.meta.url)
const more = existsSync(recorded) ? JSON.parse(readFileSync(recorded, 'utf8')) : []
/** What remains of a value in a JSON file. */
const plain = (value) => JSON.parse(JSON.stringify(value))

for (const { title, event, settings, requests, error, answers = {}, now = 0 } of [...definition.examples, ...more]) {
  test(title, () => {
    const parsed = parseSettings(definition, settings)
    assert.ok(parsed.ok, JSON.stringify(parsed.problems))
    const context = { now, answers: new Map(Object.entries(answers)) }
    const map = () => mapEvent(definition, event, parsed.settings, context)
    // Throws when the mapping uses the clock, random numbers or the network.
    assert.deepEqual(plain(runPurely(map)), plain(error ?? requests))
  })
}
