import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from '../step.ts'

/** One version line: all packages have one version, and changesets name only packages that exist. */
export const versions: Step = {
  name: 'versions',
  summary: 'one version of all packages, valid changesets, settings for provenance',
  async run({ root, packages }) {
    const problems: string[] = []
    const found = new Set(packages.map(({ manifest }) => manifest.version))
    if (found.size > 1) problems.push(`packages have several versions: ${[...found].join(', ')}; give all the same`)
    const names = new Set(packages.map(({ manifest }) => manifest.name))
    const changesets = readChangesets(join(root, '.changeset'))
    for (const { file, packages: changed } of changesets)
      for (const name of changed.keys())
        if (!names.has(name)) problems.push(`.changeset/${file} names ${name}, which is no released package`)
    for (const { manifest } of packages) {
      const { name, license, publishConfig, repository } = manifest
      if (license !== 'MIT') problems.push(`${name} has the licence ${license}; the project has MIT`)
      if (publishConfig?.provenance !== true || publishConfig.access !== 'public')
        problems.push(`${name}: publishConfig needs "access": "public" and "provenance": true`)
      // npm refuses provenance for a package that does not name the repository it is built from.
      if (repository === undefined)
        problems.push(`${name}: repository is missing, without which npm refuses provenance`)
    }
    const kinds = changesets.flatMap((each) => [...each.packages.values()])
    const kind = ['major', 'minor', 'patch'].find((each) => kinds.includes(each)) ?? 'none'
    return {
      problems,
      notes: [
        `${packages.length} packages at ${[...found].join(', ')}, ${changesets.length} changesets, next: ${kind}`,
      ],
    }
  },
}

export interface Changeset {
  readonly file: string
  /** Kind of change by package. */
  readonly packages: ReadonlyMap<string, string>
}

/** Reads the front matter of all changesets. */
export function readChangesets(folder: string): readonly Changeset[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => {
      const [, head = ''] = /^---\n(.*?)\n---\n/s.exec(readFileSync(join(folder, file), 'utf8')) ?? []
      const lines = [...head.matchAll(/^["']?([^"':]+)["']?: *(major|minor|patch)$/gm)]
      return { file, packages: new Map(lines.map(([, name = '', kind = '']) => [name, kind])) }
    })
}
