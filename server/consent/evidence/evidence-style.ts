export const STYLE = `
:root{color-scheme:light dark;--ground:#f3f1ea;--surface:#fffefb;--ink:#17231f;--line:#dfdbd0}
@media (prefers-color-scheme:dark){:root{--ground:#101714;--surface:#18211d;--ink:#e9efe9;--line:#2e3b35}}
*{box-sizing:border-box}
body{margin:0;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:60rem;margin:0 auto;padding:clamp(1rem,4vw,2.5rem);background:var(--surface);border:1px solid var(--line);border-radius:.75rem}
h2{margin:2rem 0 .5rem}
dl{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.25rem 1rem}
dt{font-weight:600}dd{margin:0;white-space:pre-line}
.wide{overflow-x:auto;margin-block:.75rem}
table{border-collapse:collapse;width:100%}th,td{padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
figure{margin:1rem 0}img{max-width:100%;border:1px solid var(--line)}code{font-size:.875em}
@media print{body{padding:0}main{border:0}figure{break-inside:avoid}}
`;
