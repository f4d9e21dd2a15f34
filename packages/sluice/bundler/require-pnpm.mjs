// Run before a package is packed. Packages name each other as `workspace:*`, which only pnpm replaces by versions: what
// npm packs cannot be installed.
const { npm_config_user_agent: packer = 'nothing', npm_package_name: name = 'this package' } = process.env
if (!packer.startsWith('pnpm/')) {
  process.stderr.write(
    `${name} cannot be packed by ${packer.split(' ')[0]}: its dependencies would stay workspace:*, which npm does not install. Run instead: npx pnpm@10 pack (one package), or npx pnpm@10 -r --filter "./packages/*" pack --pack-destination <folder> (all)\n`,
  )
  process.exitCode = 1
}
