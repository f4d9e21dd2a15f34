const { execFileSync } = require('node:child_process')
const { relative } = require('node:path')
const olderNode = require('./packages/sqlite-older-node/package.json')

/**
 * Returns the address of the repository that a release is built from, undefined when it is not known. npm refuses
 * provenance for packages that do not name it. It is given, or that of the CI, or of the remote `origin`.
 */
function repositoryUrl({ SLUICE_REPOSITORY: given, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env) {
  const url = given || (server && name ? `${server}/${name}` : originUrl())
  const [, host, path] = /^(?:(?:https|ssh):\/\/(?:[^/@]+@)?|git@)([\w.-]+)[:/](.+?)(?:\.git)?$/.exec(url) ?? []
  return host && path ? `git+https://${host}/${path}.git` : undefined
}

function originUrl() {
  try {
    return execFileSync('git', ['config', '--get', 'remote.origin.url'], { cwd: __dirname, encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/**
 * A package is released without its TypeScript sources, so its manifest names them no more: neither the condition by which
 * the checkout finds them, nor what only the checkout needs.
 */
function beforePacking(manifest, folder) {
  const { devDependencies, scripts, ...rest } = manifest
  const url = repositoryUrl()
  if (url) rest.repository = { type: 'git', url, directory: relative(__dirname, folder) }
  for (const field of ['exports', 'imports']) if (rest[field]) rest[field] = withoutSources(rest[field])
  return rest
}

/** Types of a package that is inlined, and not installed. */
const isPackage = (target) => typeof target === 'string' && !target.startsWith('.')

function withoutSources(targets) {
  if (typeof targets !== 'object' || targets === null) return targets
  return Object.fromEntries(
    Object.entries(targets)
      .filter(([condition, target]) => condition !== 'source' && !(condition === 'types' && isPackage(target)))
      .map(([condition, target]) => [condition, withoutSources(target)]),
  )
}

/**
 * In the checkout better-sqlite3 12 is installed, and with it compiled, only by the Node that needs it. A release says so in
 * the manifest of `@sluice/sqlite-older-node`; here pnpm would refuse to install a package whose `engines` leave out the Node
 * in use.
 */
function readPackage(manifest) {
  if (manifest.name === 'better-sqlite3' && manifest.version.startsWith('12.'))
    manifest.engines = { node: olderNode.publishConfig.engines.node }
  return manifest
}

module.exports = { hooks: { beforePacking, readPackage }, repositoryUrl }
