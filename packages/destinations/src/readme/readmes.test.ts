import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtInDestinations } from '../built-in-destinations.ts'
import * as all from '../index.ts'
import type { SettingsNode } from '../kit/define/define-destination.ts'
import { destinationReadme } from './destination-readme.ts'

/**
 * The folder of a definition is named like its export: `googleAds` in `google-ads`, `consoleDestination` in `console`.
 */
const folders = new Map<unknown, string>(
  Object.entries(all).map(([name, value]) => [
    value,
    name.replace(/Destination$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  ]),
)

describe('the README of each destination', () => {
  for (const definition of builtInDestinations) {
    const folder = fileURLToPath(new URL(`../products/${folders.get(definition)}/`, import.meta.url))

    it(`of ${definition.type} is up to date; run pnpm readmes to write it`, async () => {
      expect(existsSync(folder), `a folder ${folder}`).toBe(true)
      await expect(destinationReadme(definition)).toMatchFileSnapshot(`${folder}README.md`)
    })
  }
})

it('the README of the package lists every type', () => {
  const text = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8')
  const list = text.slice(text.indexOf('## All types'), text.indexOf('## Destinations other'))
  const listed = [...list.matchAll(/`([A-Z0-9_]+)`/g)].map(([, type]) => type)
  expect(listed.sort()).toEqual(builtInDestinations.map(({ type }) => type).sort())
})

describe('each setting', () => {
  for (const { type, settings } of builtInDestinations) {
    it(`of ${type} is described in a sentence`, () => {
      const described = settingsOf(settings, '')
      expect(described.filter(([, text]) => !/^.{7,}[.]$/s.test(text))).toEqual([])
    })
  }
})

function settingsOf(node: SettingsNode, path: string): readonly (readonly [path: string, description: string])[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, member]) => [
    [`${path}${key}`, member.description ?? ''] as const,
    ...settingsOf(member.items ?? member, `${path}${key}.`),
  ])
}
