import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineDestination, json } from '@sluice/destinations/kit'
import { Type } from 'typebox'
import { afterAll, describe, expect, it } from 'vitest'
import { addExample, exampleOf, exampleSettings, readExamples, withoutPersonalData } from './recorded-example.ts'

const definition = defineDestination({
  type: 'CHAT',
  displayName: 'Chat',
  supports: ['track'],
  settings: Type.Object({ url: Type.String(), token: Type.String() }),
  secrets: ['token'],
  requests: (event, { url, token }) =>
    json({ method: 'POST', endpoint: url, headers: { token }, body: { title: event['event'] } }),
  examples: [],
})
const folder = mkdtempSync(join(tmpdir(), 'sluice-record-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('recorded examples', () => {
  it('have no detectable personal data in keys', () => {
    expect(withoutPersonalData({ traits: { 'ann@x.test': { '(555) 123-4567': 1 }, plain: 2 } })).toEqual({
      traits: { '[email]': { '[phone]': 1 }, plain: 2 },
    })
  })

  it('have no detectable personal data, and no secrets', () => {
    const settings = exampleSettings(definition, { url: 'https://chat.test', token: 'secret-1' })
    const event = withoutPersonalData({
      type: 'track',
      messageId: 'm1',
      event: 'Mail a@b.test',
      context: { ip: '1.2.3.4' },
      list: [7],
    })
    expect(event).toEqual({ type: 'track', messageId: 'm1', event: 'Mail [email]', context: { ip: '[ip]' }, list: [7] })
    const letter = { event: event as { type: string }, at: '2026-01-01T00:00:00.000Z' }
    const example = exampleOf(definition, settings, letter)
    expect(example).toMatchObject({ title: 'recorded: track "Mail [email]" (m1)', requests: [{ method: 'POST' }] })
    expect(JSON.stringify(example)).not.toContain('secret-1')
  })

  it('are added to those in the file, and replace those with their title', async () => {
    const file = join(folder, 'recorded.json')
    const example = { title: 'a', event: {}, settings: {}, now: 0, requests: [] }
    for (const title of ['a', 'b', 'a']) await addExample(file, { ...example, title })
    expect((await readExamples(file)).map(({ title }) => title)).toEqual(['b', 'a'])
    writeFileSync(file, '{}')
    await expect(addExample(file, example)).rejects.toThrow('is not a JSON list of examples')
  })
})
