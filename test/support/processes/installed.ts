/**
 * The text of a vitest configuration that loads our packages unchanged, as for users, who have them in node_modules.
 */
export const asInstalled =
  'export default { test: { server: { deps: { external: [/\\/packages\\/[a-z]+\\/dist\\//] } } } }\n'
