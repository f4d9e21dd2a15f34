import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const studio = resolve(import.meta.dirname, '../../packages/studio')

it('the icons of the studio are those that icons.mjs copies: run it after a change of its list', async () => {
  const { iconModule } = (await import(join(studio, 'icons.mjs'))) as { iconModule(): string }
  expect(readFileSync(join(studio, 'src/page/parts/signs/icon-shapes.ts'), 'utf8')).toBe(iconModule())
})
