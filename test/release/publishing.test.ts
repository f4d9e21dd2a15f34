import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const root = resolve(import.meta.dirname, '../..')

interface Workflow {
  readonly jobs: {
    readonly publish: {
      readonly permissions: Readonly<Record<string, string>>
      readonly steps: readonly { readonly run?: string }[]
    }
  }
}

it('publishes only what all steps of the dry run have passed, with what provenance needs, by the pnpm of the checkout', () => {
  const text = readFileSync(resolve(root, '.github/workflows/release.yml'), 'utf8')
  const { permissions, steps } = (parse(text) as Workflow).jobs.publish
  expect(permissions['id-token']).toBe('write')
  const runs = steps.flatMap(({ run }) => run ?? [])
  const checked = runs.findIndex((run) => run.endsWith('release --dry-run'))
  const published = runs.findIndex((run) => run.includes(' publish'))
  expect(checked).toBeGreaterThan(0)
  expect(published).toBeGreaterThan(checked)
  const { packageManager } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
  expect(new Set(text.match(/pnpm@[\d.]+/g))).toEqual(new Set([packageManager]))
})
