/** How the page behind a share link looks: the colours and sizes of the interface, in light, dark and on paper. */
export const STYLE = `
:root{color-scheme:light dark;--page:oklch(1 0 0);--sunken:oklch(.972 .003 255);--line:oklch(.915 .005 255);--ink:oklch(.235 .013 260);--dim:oklch(.455 .015 258);--bubble:oklch(.957 .008 252);--accent:oklch(.5 .155 254)}
@media (prefers-color-scheme:dark){:root{--page:oklch(.178 .007 262);--sunken:oklch(.152 .007 262);--line:oklch(.272 .01 262);--ink:oklch(.935 .004 258);--dim:oklch(.745 .011 258);--bubble:oklch(.245 .014 260);--accent:oklch(.765 .11 250)}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:1.5rem 1rem 3rem;background:var(--page);color:var(--ink);font:1rem/1.6 ui-sans-serif,system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:.5rem;background:var(--page);padding:.25rem .5rem}
header{border-bottom:1px solid var(--line);padding-bottom:1rem;margin-bottom:1.5rem}
.brand{margin:0 0 .75rem;font-size:.8125rem;font-weight:600;color:var(--dim)}
h1{margin:0;font-size:1.5rem;line-height:1.25;font-weight:600;text-wrap:balance}
.facts,.lead,footer,.note,.author{color:var(--dim);font-size:.8125rem}
.facts{margin:.5rem 0 0}.lead{margin:.25rem 0 0}
footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem}
section{margin:0 0 2rem}
section>*{margin:0 0 1rem}
.prompt{display:flex;flex-direction:column;align-items:flex-end}
.prompt>div{max-width:85%;background:var(--bubble);border-radius:1rem 1rem .375rem 1rem;padding:.5rem .875rem}
.prompt p{margin:0}.prompt .author{margin:0 .25rem .25rem}
.pre{white-space:pre-wrap}
.answer>:first-child{margin-top:0}.answer>:last-child{margin-bottom:0}
.answer p,.answer ul,.answer ol,.answer blockquote{margin:.75rem 0}
.answer h2,.answer h3,.answer h4,.answer h5,.answer h6{margin:1.25rem 0 .5rem;font-size:1.0625rem;line-height:1.4;font-weight:600}
.answer ul,.answer ol{padding-left:1.5rem}.answer li ul,.answer li ol{margin:.25rem 0}
blockquote{border-left:3px solid var(--line);padding-left:.875rem;color:var(--dim)}
hr{border:0;border-top:1px solid var(--line)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.8125rem;line-height:1.5}
:not(pre)>code{background:var(--sunken);border:1px solid var(--line);border-radius:4px;padding:.05rem .3rem}
pre{background:var(--sunken);border:1px solid var(--line);border-radius:10px;padding:.75rem .875rem;margin:.75rem 0;overflow-x:auto;white-space:pre-wrap}
.wide{overflow-x:auto;margin:.75rem 0}
table{border-collapse:collapse;font-size:.875rem}
th,td{border:1px solid var(--line);padding:.375rem .625rem;text-align:left;vertical-align:top;overflow-wrap:break-word}
th{background:var(--sunken);font-weight:600}.right{text-align:right}.center{text-align:center}
.work{border:1px solid var(--line);border-radius:10px;padding:.375rem .75rem}
summary{cursor:pointer;font-size:.8125rem;color:var(--dim);min-height:1.5rem}
.part{margin:.5rem 0 .25rem;font-size:.75rem;font-weight:600;color:var(--dim)}
.work pre{margin:0 0 .5rem;max-height:24rem;overflow-y:auto}
.gone{padding-top:20vh;text-align:center}
.gone p{color:var(--dim)}
@media print{:root{color-scheme:light;--page:#fff;--sunken:#fff;--line:#999;--ink:#000;--dim:#333;--bubble:#eee;--accent:#000}
body{max-width:none;padding:0}.skip{display:none}pre,.work pre{max-height:none;overflow:visible}
details::details-content{content-visibility:visible;block-size:auto}article,pre{break-inside:auto}h1,h2,h3{break-after:avoid}}
`;
