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
  const address = isWithoutServer() ? addressWithPolicy(url) : url
  known.add(address)
  return new Worker(policy?.createScriptURL(address) ?? address, { type: 'module', name })
}

/** A page that states its policy itself may come from a server that gives none, also not to its Workers. */
function isWithoutServer(): boolean {
  return document.querySelector('meta[http-equiv="Content-Security-Policy"]') !== null
}

const addresses = new Map<string, string>()

/** Returns an address for a Worker that has the policy of this page: only a blob inherits it. */
function addressWithPolicy(url: string): string {
  const address =
    addresses.get(url) ??
    URL.createObjectURL(
      new Blob([`import ${JSON.stringify(new URL(url, location.href).href)}`], { type: 'text/javascript' }),
    )
  addresses.set(url, address)
  return address
}
