import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure, run } from '../command.ts'
import { inlinedPackages } from '../inlined-packages.ts'
import type { Step } from '../step.ts'

/** Writes the bill of materials of an installation, made by npm, and adds the packages that are inside of ours. */
export const sbom: Step = {
  name: 'sbom',
  summary: 'bill of materials in CycloneDX',
  async run(bench) {
    const cwd = await bench.project('npm')
    const ended = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], { cwd })
    const problem = failure('npm sbom', ended)
    if (problem !== undefined) return { problems: [problem], notes: [] }
    const bill = JSON.parse(ended.stdout)
    const { bomFormat, specVersion, components } = bill
    const known = new Set(components.map(({ purl }: { purl: string }) => purl))
    for (const { name, version, licence } of inlinedPackages(join(cwd, 'node_modules'))) {
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
      if (known.has(purl)) continue
      const licenses = [{ license: { id: licence } }]
      components.push({ type: 'library', 'bom-ref': `inlined:${name}@${version}`, name, version, purl, licenses })
    }
    const folder = join(bench.root, 'test/release/dist')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)
    const problems = bomFormat === 'CycloneDX' && components.length > 0 ? [] : ['npm sbom printed no components']
    return {
      problems,
      notes: [`${bomFormat} ${specVersion}, ${components.length} components: test/release/dist/sbom.cdx.json`],
    }
  },
}
