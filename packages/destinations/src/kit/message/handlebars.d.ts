/** The file that the package names for browsers: its main file for Node changes `require`, which bundlers refuse. */
declare module 'handlebars/dist/cjs/handlebars.js' {
  import Handlebars from 'handlebars'
  export default Handlebars
}
