interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** Addresses that were built into the page. */
const known = new Set<string>()

/** The page turns no text into code but the addresses of its own Workers; its policy names this exception. */
const policy = (globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('own-workers', {
  createScriptURL: (url) => {
    if (!known.has(url)) throw new TypeError(`${url} is not a Worker of this page`)
    return url
  },
})

/** Starts a Worker. @param url the address that the build gives it: never text that comes from elsewhere. */
export function startWorker(url: string, name: string): Worker {
  known.add(url)
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module', name })
}
