import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure, run } from '../command.ts'
import type { Step } from '../step.ts'

/** Writes the bill of materials of an installation, made by npm. */
export const sbom: Step = {
  name: 'sbom',
  summary: 'bill of materials in CycloneDX',
  async run(bench) {
    const cwd = await bench.project('npm')
    const ended = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], { cwd })
    const problem = failure('npm sbom', ended)
    if (problem !== undefined) return { problems: [problem], notes: [] }
    const { bomFormat, specVersion, components } = JSON.parse(ended.stdout)
    const folder = join(bench.root, 'test/release/dist')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'sbom.cdx.json'), ended.stdout)
    const problems = bomFormat === 'CycloneDX' && components.length > 0 ? [] : ['npm sbom printed no components']
    return {
      problems,
      notes: [`${bomFormat} ${specVersion}, ${components.length} components: test/release/dist/sbom.cdx.json`],
    }
  },
}
