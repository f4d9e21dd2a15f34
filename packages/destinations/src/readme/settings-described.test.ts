import { describe, expect, it } from 'vitest'
import { builtInDestinations } from '../built-in-destinations.ts'
import type { SettingsNode } from '../kit/define/define-destination.ts'

describe('each setting', () => {
  for (const { type, settings } of builtInDestinations) {
    it(`of ${type} is described in a sentence`, () => {
      const described = settingsOf(settings, '')
      expect(described.filter(([, text]) => !/^.{7,}[.]$/s.test(text))).toEqual([])
    })

    it(`of ${type} has a title: without one, a form shows its name in code`, () => {
      const nodes: [string, { readonly title?: string }][] = Object.entries(settings.properties)
      expect(nodes.filter(([, { title = '' }]) => !/^.+[^.]$/.test(title)).map(([name]) => name)).toEqual([])
    })
  }
})

function settingsOf(node: SettingsNode, path: string): readonly (readonly [path: string, description: string])[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, member]) => [
    [`${path}${key}`, member.description ?? ''] as const,
    ...settingsOf(member.items ?? member, `${path}${key}.`),
  ])
}
