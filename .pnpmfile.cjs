/**
 * A package is released without its TypeScript sources, so its manifest names them no more: neither the condition by which
 * the checkout finds them, nor what only the checkout needs.
 */
function beforePacking(manifest) {
  const { devDependencies, scripts, ...rest } = manifest
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

module.exports = { hooks: { beforePacking } }
