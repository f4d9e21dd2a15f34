import { existsSync, readFileSync } from 'node:fs'
import { writeCjsTypes } from './write-cjs-types.mjs'

// Run before a package is packed. Packages name each other as `workspace:*`, which only pnpm replaces by versions: what
// npm packs cannot be installed.
const { npm_config_user_agent: packer = 'nothing', npm_package_name: name = 'this package' } = process.env
if (!packer.startsWith('pnpm/')) {
  process.stderr.write(
    `${name} cannot be packed by ${packer.split(' ')[0]}: its dependencies would stay workspace:*, which npm does not install. Run instead: npx pnpm@10 pack (one package), or npx pnpm@10 -r --filter "./packages/*" pack --pack-destination <folder> (all)\n`,
  )
  process.exitCode = 1
}

// What the package has inlined is made by the build; without it, nothing of the package can be loaded.
const { imports = {} } = JSON.parse(readFileSync('package.json', 'utf8'))
const absent = Object.entries(imports).filter(
  ([key, { default: file }]) => key.startsWith('#inlined/') && !existsSync(file),
)
if (absent.length > 0) {
  process.stderr.write(
    `${name} has not been built: ${absent.map(([, each]) => each.default).join(', ')}. Run npm run build\n`,
  )
  process.exitCode = 1
} else await writeCjsTypes()
