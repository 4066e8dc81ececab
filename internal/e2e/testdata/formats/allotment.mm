<map version="freeplane 1.11.5">
<!--To view this file, download free mind mapping software Freeplane from https://www.freeplane.org -->
<node TEXT="Allotment" ID="ID_1">
<node TEXT="Tools" POSITION="right" ID="ID_2">
<node TEXT="Scythe" ID="ID_3"><richcontent TYPE="NOTE" CONTENT-TYPE="xml/">
<html>
  <head>

  </head>
  <body>
    <p>
      Whet the blade with a wet stone before every swath.
    </p>
  </body>
</html></richcontent>
</node>
<node TEXT="&#x94c1;&#x9539;&#x501f;&#x7ed9;&#x4e86;&#x90bb;&#x5c45;" ID="ID_4"/>
</node>
<node TEXT="Water butt" POSITION="left" ID="ID_5" LINK="https://example.org/butt"/>
</node>
</map>
