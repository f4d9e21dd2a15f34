/**
 * Content security policy of the page: everything comes from this origin, nothing is evaluated, no other page may frame
 * it, no code may turn text into HTML, and only the address of the
 * sandbox's Worker becomes a script.
 *
 * @param nonce of the styles that the code editor adds, and of the page that got it.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types own-workers',
  ].join('; ')
}

/**
 * Policy of the worker that runs user code in the sandbox: it compiles WebAssembly, and reaches nothing.
 */
export const sandboxWorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'"
